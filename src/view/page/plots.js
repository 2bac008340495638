"use strict";
// The series of the run, which grows while the run goes on, as plots over time.

class Series {
  constructor() {
    this.columns = [];
    this.rows = [];
    this.at = 0;
  }

  /** Takes what the run has written since; true if there was something. */
  async follow() {
    const bytes = await Source.bytes(`series/${Source.isReport ? 0 : this.at}`);
    if (Source.isReport && this.at > 0) return false;
    this.at += bytes.byteLength;
    const lines = new TextDecoder().decode(bytes).split("\n").filter((l) => l !== "");
    if (this.columns.length === 0 && lines.length > 0) this.columns = lines.shift().split(",");
    for (const line of lines) this.rows.push(line.split(",").map(Number));
    return lines.length > 0;
  }

  column(name) {
    const k = this.columns.indexOf(name);
    return k < 0 ? null : this.rows.map((r) => r[k]);
  }

  last(name) {
    const k = this.columns.indexOf(name);
    return k < 0 || this.rows.length === 0 ? null : this.rows[this.rows.length - 1][k];
  }

  /** Columns that change. */
  moving() {
    const same = (a, b) => a === b || (Number.isNaN(a) && Number.isNaN(b));
    return this.columns.filter((name, k) => !["step", "time_s"].includes(name) && this.rows.some((r) => !same(r[k], this.rows[0][k])));
  }
}

const Plots = {
  /** Columns that are drawn unless others are chosen, if the run has them. */
  usual: ["kinetic_translational_j", "contacts", "coordination", "pressure_pa", "packing_ellipsoid", "diameter_m", "speed_max_m_s", "energy_residual_j"],

  /** A column's name in words, and its unit. */
  words(column) {
    const units = [["_kg_m2_s", "kg m2/s"], ["_kg_m_s", "kg m/s"], ["_n_m", "N m"], ["_deg", "degrees"], ["_rad_s", "rad/s"], ["_m_s", "m/s"], ["_m3", "m3"], ["_pa", "Pa"], ["_j", "J"], ["_n", "N"], ["_kg", "kg"], ["_s", "s"], ["_m", "m"]];
    const found = units.find(([end]) => column.endsWith(end));
    const name = (found ? column.slice(0, -found[0].length) : column).replaceAll("_", " ");
    return found ? `${name} [${found[1]}]` : name;
  },

  /** Thins a line to what a picture of this width shows: the least and the largest finite value of each step, NaN without one. */
  thinned(times, values, steps) {
    if (times.length <= 4 * steps) return times.map((t, k) => [t, values[k]]);
    const points = [];
    const each = times.length / steps;
    for (let s = 0; s < steps; s++) {
      const [from, to] = [Math.floor(s * each), Math.floor((s + 1) * each)];
      let [low, high] = [-1, -1];
      for (let k = from; k < to; k++) {
        if (!Number.isFinite(values[k])) continue;
        if (low < 0 || values[k] < values[low]) low = k;
        if (high < 0 || values[k] > values[high]) high = k;
      }
      if (low < 0) points.push([times[from], NaN]);
      else for (const k of [Math.min(low, high), Math.max(low, high)]) points.push([times[k], values[k]]);
    }
    return points;
  },

  /** Ticks with texts that differ. */
  labelled(ticks) {
    const digits = Numbers.digits(ticks);
    return ticks.map((v) => [v, Numbers.text(v, digits)]);
  },

  /** Draws a column; `mark` is the instant (s) of the frame that is shown. */
  draw(canvas, times, values, mark) {
    const ratio = window.devicePixelRatio || 1;
    canvas.width = canvas.clientWidth * ratio;
    canvas.height = canvas.clientHeight * ratio;
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    const finite = values.filter(Number.isFinite);
    if (finite.length === 0 || times.length === 0) return;
    const end = times[times.length - 1] || 1;
    let low = finite.reduce((a, b) => Math.min(a, b));
    let high = finite.reduce((a, b) => Math.max(a, b));
    if (low > 0 && low < 0.5 * high) low = 0;
    if (Numbers.isConstant(low, high)) [low, high] = [low - Math.abs(low || 1) * 0.1, high + Math.abs(high || 1) * 0.1];
    const rows = Plots.labelled(Numbers.ticks(low, high, 5));
    pen.font = "12px system-ui, sans-serif";
    const left = Math.max(62, 14 + Math.max(...rows.map(([, text]) => pen.measureText(text).width)));
    const box = { left, top: 8, right: canvas.clientWidth - 12, bottom: canvas.clientHeight - 34 };
    const x = (t) => box.left + (t / end) * (box.right - box.left);
    const y = (v) => box.bottom - ((v - low) / (high - low)) * (box.bottom - box.top);
    const [unit, name] = [[3.15576e7, "a"], [86400, "d"], [3600, "h"], [60, "min"], [1, "s"]].find(([u]) => end >= 3 * u) ?? [1, "s"];
    pen.fillStyle = "#5a6470";
    pen.strokeStyle = "#dde2e7";
    pen.textAlign = "center";
    for (const [t, text] of Plots.labelled(Numbers.ticks(0, end / unit, 6))) {
      pen.strokeRect(x(t * unit), box.top, 0, box.bottom - box.top);
      pen.fillText(text, x(t * unit), box.bottom + 15);
    }
    pen.fillText(`time [${name}]`, (box.left + box.right) / 2, box.bottom + 30);
    pen.textAlign = "right";
    for (const [v, text] of rows) {
      pen.strokeRect(box.left, y(v), box.right - box.left, 0);
      pen.fillText(text, box.left - 5, y(v) + 4);
    }
    pen.strokeStyle = "#0072b2";
    pen.lineWidth = 1.5;
    pen.lineCap = "round";
    pen.beginPath();
    let joined = false;
    for (const [t, v] of Plots.thinned(times, values, Math.ceil(box.right - box.left))) {
      if (Number.isFinite(v)) {
        // a value between two gaps is a dot
        if (!joined) pen.moveTo(x(t), y(v));
        pen.lineTo(x(t), y(v));
      }
      joined = Number.isFinite(v);
    }
    pen.stroke();
    if (mark !== null) {
      pen.strokeStyle = "#d55e00";
      pen.lineWidth = 1;
      pen.strokeRect(x(mark), box.top, 0, box.bottom - box.top);
    }
  },
};
