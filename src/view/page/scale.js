"use strict";
// What colours mean: a scale over a map of colours, or labels; and the words on the picture.

class Scale {
  constructor(low, high, logarithmic, map) { Object.assign(this, { low, high, logarithmic, map }); }

  /** Position of a value between the ends. */
  part(value) {
    const on = (v) => (this.logarithmic ? Math.log(Math.max(v, 1e-300)) : v);
    return (on(value) - on(this.low)) / (on(this.high) - on(this.low) || 1);
  }

  /** Four bytes for each value. */
  colours(values) {
    const rgba = new Uint8Array(4 * values.length);
    const steps = this.map.length / 3 - 1;
    for (let k = 0; k < values.length; k++) {
      const part = this.part(values[k]);
      const at = Number.isNaN(part) ? -1 : 3 * Math.round(Math.min(1, Math.max(0, part)) * steps);
      for (let c = 0; c < 3; c++) rgba[4 * k + c] = at < 0 ? 128 : this.map[at + c];
      rgba[4 * k + 3] = 255;
    }
    return rgba;
  }
}

const Overlay = {
  ink: "#20242a",

  /** Draws all words over the picture; `told` has the scale or the legend. */
  draw(canvas, told) {
    const ratio = canvas.width / Math.max(1, canvas.clientWidth);
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    const [width, height] = [canvas.width / ratio, canvas.height / ratio];
    pen.clearRect(0, 0, width, height);
    pen.font = "13px system-ui, sans-serif";
    pen.fillStyle = pen.strokeStyle = Overlay.ink;
    pen.lineWidth = 1;
    if (told.scale) Overlay.bar(pen, told, width);
    if (told.legend) Overlay.legend(pen, told.legend, width, height);
    if (told.lengths) Overlay.length(pen, told.lengths, width, height);
    if (told.axes) Overlay.axes(pen, told.axes, height);
    if (told.axis) Overlay.axis(pen, told.axis, width, height);
    if (told.forces) Overlay.forces(pen, told.forces);
  },

  halo(pen, text, x, y) {
    pen.save();
    pen.lineWidth = 4;
    pen.lineJoin = "round";
    pen.strokeStyle = "#fff";
    pen.strokeText(text, x, y);
    pen.restore();
    pen.fillText(text, x, y);
  },

  bar(pen, { scale, name, unit, all }, width) {
    const prefixed = Numbers.prefixed(unit, Math.max(Math.abs(scale.low), Math.abs(scale.high)));
    const title = prefixed.unit ? `${name} [${prefixed.unit}]` : name;
    const text = (value, digits) => Numbers.text(value * prefixed.factor, digits);
    const [left, top, long, wide] = [width - 110, 40, 220, 16];
    for (let k = 0; k < long; k++) {
      const at = 3 * Math.round((1 - k / (long - 1)) * (scale.map.length / 3 - 1));
      pen.fillStyle = `rgb(${scale.map[at]},${scale.map[at + 1]},${scale.map[at + 2]})`;
      pen.fillRect(left, top + k, wide, 1.5);
    }
    pen.fillStyle = Overlay.ink;
    pen.strokeRect(left - 0.5, top - 0.5, wide + 1, long + 1);
    pen.textAlign = "right";
    Overlay.halo(pen, title, width - 12, top - 14);
    pen.textAlign = "left";
    pen.textBaseline = "middle";
    const ticks = scale.logarithmic ? Numbers.decades(scale.low, scale.high) : Numbers.ticks(scale.low, scale.high);
    const digits = scale.logarithmic ? 4 : Numbers.digits(ticks, 4);
    for (const value of ticks) {
      const y = top + (1 - scale.part(value)) * long;
      pen.fillRect(left + wide, y, 4, 1);
      Overlay.halo(pen, text(value, digits), left + wide + 7, y);
    }
    // values that the scale does not tell apart are said
    const [least, most] = all ? all.map((value) => scale.part(value)) : [0, 1];
    const beyond = [least < -1e-6 && `values from ${text(all[0], digits - 1)}`, most > 1 + 1e-6 && `values to ${text(all[1], digits - 1)}`];
    pen.textAlign = "right";
    beyond.filter((words) => words).forEach((words, k) => Overlay.halo(pen, words, width - 12, top + long + 16 * (k + 1)));
    pen.textAlign = "left";
    pen.textBaseline = "alphabetic";
  },

  /** Rows that do not fit are counted in the last one. */
  legend(pen, all, width, height) {
    const fit = Math.max(1, Math.floor((height - 60) / 20));
    const more = { colour: [255, 255, 255], text: `${all.length - fit + 1} more` };
    const rows = all.length > fit ? [...all.slice(0, fit - 1), more] : all;
    const wide = Math.max(0, ...rows.map((r) => pen.measureText(r.text).width));
    rows.forEach(({ colour, text }, k) => {
      const y = 30 + 20 * k;
      pen.fillStyle = `rgb(${colour.join(",")})`;
      pen.beginPath();
      pen.arc(width - wide - 24, y - 4, 6, 0, 7);
      pen.fill();
      pen.fillStyle = Overlay.ink;
      pen.textAlign = "left";
      Overlay.halo(pen, text, width - wide - 12, y);
    });
  },

  /** A bar of a round length. */
  length(pen, { metresAPixel, parallel }, width, height) {
    const length = Numbers.round(metresAPixel * 180);
    const long = length / metresAPixel;
    if (!(long > 1 && long < width)) return;
    const [x, y] = [width - 16 - long, height - 16];
    pen.fillRect(x, y, long, 3);
    pen.textAlign = "right";
    Overlay.halo(pen, `${Numbers.length(length)}${parallel ? "" : " in the middle"}`, x + long, y - 6);
  },

  axes(pen, { right, up }, height) {
    const [x, y, long] = [40, height - 44, 26];
    pen.textAlign = "center";
    ["x", "y", "z"].forEach((name, k) => {
      const [dx, dy] = [right[k] * long, -up[k] * long];
      pen.beginPath();
      pen.moveTo(x, y);
      pen.lineTo(x + dx, y + dy);
      pen.stroke();
      Overlay.halo(pen, name, x + 1.35 * dx, y + 1.35 * dy + 4);
    });
  },

  /** The axis of rotation, with its tip. */
  axis(pen, ends, width, height) {
    const half = Math.min(width, height) / 2;
    const [from, to] = ends.map(([x, y]) => [width / 2 + x * half, height / 2 - y * half]);
    const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
    pen.save();
    pen.strokeStyle = pen.fillStyle = "#b27500";
    pen.lineWidth = 3;
    pen.beginPath();
    pen.moveTo(...from);
    pen.lineTo(...to);
    pen.stroke();
    pen.beginPath();
    for (const turn of [0, 2.6, -2.6]) pen.lineTo(to[0] + 9 * Math.cos(angle + turn), to[1] + 9 * Math.sin(angle + turn));
    pen.fill();
    pen.restore();
    pen.textAlign = "left";
    Overlay.halo(pen, "north", to[0] + 10, to[1] + 4);
  },

  forces(pen, { mean, count }) {
    pen.textAlign = "left";
    if (count === 0) return Overlay.halo(pen, "no contacts in this frame", 14, 26);
    [[6, "#cc4010", `pushes with ${Numbers.text(mean, 3)} N, the mean; wider with more`], [6, "#0072b2", "pulls"]].forEach(([wide, colour, text], k) => {
      const y = 26 + 20 * k;
      pen.fillStyle = colour;
      pen.fillRect(14, y - wide / 2 - 4, 28, wide);
      pen.fillStyle = Overlay.ink;
      Overlay.halo(pen, text, 50, y);
    });
  },
};
