"use strict";
// The page: what is chosen, and what is drawn of it.

const $ = (id) => document.getElementById(id);

/** Milliseconds between two looks at a run that goes on. */
const LOOK_AGAIN = 2000;
/** The same of a run that has ended, which may be resumed. */
const LOOK_LATER = 10000;
/** Milliseconds after which a view that has been moved is still, and is drawn whole. */
const STILL = 400;
/** Milliseconds between pictures from which on fewer bodies are drawn while things move, and below which more are. */
const SLOW = 150;
const QUICK = 50;
/** Bodies from which on they are thinned so. */
const MANY = 50000;
/** Milliseconds a frame is shown, at least, while frames play. */
const EACH = 60;

const Page = {
  run: null,
  frames: [],
  shown: null,
  camera: new Camera(),
  scene: null,
  series: new Series(),
  /** Whether the camera has been turned to bodies. */
  framed: false,
  playing: false,
  /** How often colours were asked for. */
  colourings: 0,
  scale: null,
  picked: null,
  drawn: 0,
  /** Of so many bodies one is drawn: more than one while things move on a slow machine. */
  stride: 1,
  /** The stride of the last movement, with which the next one begins; none before the first. */
  thin: null,
  /** When the view was moved last, and when it was drawn last (ms). */
  moved: -Infinity,
  before: -Infinity,
  /** Whether the last picture was one of a movement, so that the time since tells how fast pictures are. */
  followed: false,
  /** How fast a run goes on: wall time of its session (s) and the step at its start. */
  pace: null,

  async open() {
    Page.run = await Source.json("run");
    $("name").textContent = Page.run.name;
    document.title = `${Page.run.name}: Breccia`;
    Page.fillControls();
    About.draw(Page.run);
    try {
      Page.scene = new Scene($("picture"));
      if (Page.run.asteroid) Page.scene.setSurface(await Source.arrays("surface"));
    } catch (e) { Page.fault(e); }
    Page.camera.lookFrom(Page.run.eye);
    Page.listen();
    await Page.look();
    if (!Source.isReport) setTimeout(Page.lookAgain, Page.goesOn() ? LOOK_AGAIN : LOOK_LATER);
    requestAnimationFrame(Page.tick);
  },

  fault(e) {
    $("fault").textContent = e instanceof Error ? e.message : String(e);
    $("fault").hidden = !e;
  },

  goesOn() { return (Page.run.summary.status ?? "").startsWith("running"); },

  /** Takes frames and rows that are new. */
  async look() {
    const next = Page.frames.length === 0 || Source.isReport ? 0 : Page.frames[Page.frames.length - 1].frame + 1;
    const more = await Source.json(`frames/${next}`);
    if (Source.isReport) Page.frames = more; else Page.frames.push(...more);
    $("slider").max = Math.max(0, Page.frames.length - 1);
    if (await Page.series.follow()) Plotting.fill();
    Page.tell();
    const wanted = $("newest").checked && !Page.playing;
    if (Page.frames.length > 0 && (Page.shown === null || (more.length > 0 && wanted))) await Page.show(Page.frames.length - 1);
    Plotting.draw();
  },

  async lookAgain() {
    try {
      const before = Page.goesOn();
      const { status, pace, given } = await Source.json("state");
      // another run has taken the directory: walls, asteroid and frames here are of the one before
      if (given !== Page.run.given) return location.reload();
      [Page.run.summary.status, Page.pace] = [status, pace];
      // a run that is resumed writes again what came after its checkpoint
      if (Page.goesOn() && !before) [Page.series, Page.frames] = [new Series(), []];
      if (Page.goesOn() || before) await Page.look();
      if (Page.goesOn() !== before) {
        Page.run = { ...(await Source.json("run")), given };
        Page.tell();
        About.draw(Page.run);
      }
      Page.offerNewest();
    } catch (e) { Page.fault(`The server does not answer (${e.message}); start breccia view again.`); }
    setTimeout(Page.lookAgain, Page.goesOn() ? LOOK_AGAIN : LOOK_LATER);
  },

  /** The newest frame can be held on to while there are new ones. */
  offerNewest() { $("newest").parentElement.hidden = !Page.goesOn(); },

  /** Wall time left (s), as fast as in the present session; null while that is not known. */
  left() {
    const steps = (Page.series.last("step") ?? 0) - (Page.pace?.from_step ?? 0);
    if (!Page.pace || Page.pace.passed_s < 3 || steps <= 0) return Page.run.summary.progress?.left_s ?? null;
    return ((Page.run.summary.manifest.steps - Page.series.last("step")) * Page.pace.passed_s) / steps;
  },

  /** Status and progress, in words. */
  tell() {
    const { summary } = Page.run;
    const [step, time] = [Page.series.last("step"), Page.series.last("time_s")];
    const parts = [summary.status ?? "status not known"];
    if (summary.manifest && step !== null) parts.push(`${Numbers.text((100 * step) / Math.max(1, summary.manifest.steps), 3)} %, t = ${Numbers.time(time)}`);
    if (Page.goesOn() && summary.manifest && Page.left() !== null) parts.push(`ends in about ${Numbers.time(Page.left(), 2)}`);
    if (summary.manifest) parts.push(Page.count(summary.manifest.bodies, Page.shown?.bodies.id.length));
    const missed = summary.expect.filter((v) => !v.ok).length;
    if (summary.expect.length > 0) parts.push(missed === 0 ? "all expectations met" : `${missed} of ${summary.expect.length} expectations missed`);
    $("state").textContent = parts.join("; ");
  },

  /** Bodies of the run, and of the frame if it holds fewer of them. */
  count(bodies, shown = bodies) {
    const all = bodies === 1 ? "1 body" : `${Numbers.whole(bodies)} bodies`;
    return shown === bodies ? all : `${Numbers.whole(shown)} of ${all} in this frame`;
  },

  fillControls() {
    for (const name of Object.keys(Page.run.maps)) $("map").add(new Option(name));
    $("map").value = "viridis";
    $("has_asteroid").hidden = !Page.run.asteroid;
    $("has_walls").hidden = !Page.run.walls;
    $("has_inertial").hidden = !Page.run.asteroid || Source.isReport;
    if (Source.isReport) $("follow").querySelector("[value=heaviest]").remove();
    Page.offerNewest();
  },

  prefix() { return $("inertial").checked ? "inertial/" : ""; },

  /** Shows a frame; one at a time, the newest wish last. */
  async show(index) {
    Page.wish = index;
    if (Page.busy) return Page.busy;
    Page.busy = (async () => {
      while (Page.wish !== null) {
        const wish = Page.wish;
        Page.wish = null;
        try {
          await Page.load(wish);
          Page.fault("");
        } catch (e) { Page.fault(e); }
      }
      Page.busy = null;
    })();
    return Page.busy;
  },

  async load(index) {
    const { frame } = Page.frames[index];
    const name = `${Page.prefix()}frame/${frame}`;
    const bodies = await Source.arrays(`${name}/bodies`);
    Page.offer(bodies.about.quantities.filter((q) => !Source.isReport || Source.has(`${name}/values/${q}`)));
    if (Page.scene) {
      if (Page.shapes !== bodies.about.shapes) {
        Page.scene.setShapes(await Source.shapes(Page.prefix(), frame, bodies.about.shapes));
        Page.shapes = bodies.about.shapes;
      }
      Page.scene.setBodies(bodies);
    }
    Page.shown = { index, frame, bodies, time: bodies.about.time_s };
    Page.tell();
    await Page.colour(false);
    const has = bodies.about.contacts && Source.has(`${name}/contacts`);
    $("has_contacts").hidden = !has;
    if (!has) $("contacts").checked = false;
    await Page.extras();
    if (!Page.framed) Page.whole();
    await Page.follow();
    $("slider").value = index;
    $("instant").textContent = `frame ${frame}, t = ${Numbers.time(Page.shown.time)}`;
    Page.tellPicked();
    Page.dirty = true;
  },

  /** Contacts and walls, where they are wanted. */
  async extras() {
    if (!Page.scene || !Page.shown) return;
    const name = `${Page.prefix()}frame/${Page.shown.frame}`;
    if ($("contacts").checked) Page.scene.setContacts(await Source.arrays(`${name}/contacts`));
    if (Page.run.walls && $("walls").checked) Page.scene.setWalls(await Source.json(`${name}/walls`));
    Page.dirty = true;
  },

  /** Offers quantities; the chosen one stays if it is there. */
  offer(names) {
    const select = $("quantity");
    if ([...select.options].map((o) => o.value).join() === names.join()) return;
    const before = select.value;
    select.replaceChildren(...names.map((name) => new Option(name.replaceAll("_", " "), name)));
    select.value = names.includes(before) ? before : names[0] ?? "";
  },

  /** Colours the bodies; `fit` takes the ends of the scale from this frame. A later call takes the place of one that still waits. */
  async colour(fit) {
    const quantity = $("quantity").value;
    if (!quantity || !Page.shown) return;
    const call = ++Page.colourings;
    const values = await Source.arrays(`${Page.prefix()}frame/${Page.shown.frame}/values/${quantity}`);
    if (call !== Page.colourings) return;
    Page.values = values;
    const isScale = values.colour === undefined;
    for (const id of ["low", "high", "log", "map", "fit"]) $(id).disabled = !isScale;
    const unit = isScale && values.about.unit ? `[${values.about.unit}]` : "";
    document.querySelectorAll(".ends_unit").forEach((place) => { place.textContent = unit; });
    if (isScale) {
      const key = `${Page.prefix()}${quantity} ${$("log").checked}`;
      if (fit || Page.scaleOf !== key) {
        // a scale of nothing lasts until there is something
        const ends = await Page.ends(values, quantity, fit);
        if (call !== Page.colourings) return;
        [$("low").value, $("high").value] = Page.written(ends ?? [1, 10]);
        Page.scaleOf = ends ? key : null;
      }
    } else {
      Page.scaleOf = null;
    }
    Page.paint();
  },

  /** The ends of a scale as its fields say them. */
  written(ends) {
    const digits = Numbers.digits(ends) + 4;
    return ends.map((v) => Numbers.text(v, Math.min(17, digits)));
  },

  /** Ends of a scale that serves this frame, or also some others that are spread over the run; null if these have no values. */
  async ends(values, quantity, alone) {
    const last = Page.frames.length - 1;
    const others = alone ? [] : [0, 0.25, 0.5, 0.75, 1].map((part) => Page.frames[Math.round(part * last)].frame);
    const wanted = [...new Set(others)].filter((frame) => frame !== Page.shown.frame && Source.has(`frame/${frame}/values/${quantity}`));
    const list = [values];
    for (const frame of wanted) list.push(await Source.arrays(`${Page.prefix()}frame/${frame}/values/${quantity}`));
    const some = list.filter((v) => v.about.all);
    if (some.length === 0) return null;
    // frames in which all values are the same say nothing of the range, unless all frames are so
    const varied = some.filter((v) => v.about.all[0] < v.about.all[1]);
    const ranges = (varied.length > 0 ? varied : some).map((v) => ($("log").checked ? v.about.log_range : v.about.range)).filter((r) => r);
    if (ranges.length === 0) throw new Error(`${values.about.name}: no value is above zero, which a logarithmic scale needs`);
    return [Math.min(...ranges.map((r) => r[0])), Math.max(...ranges.map((r) => r[1]))];
  },

  /** Colours from the values that are here, and the fields of the scale. */
  paint() {
    if (!Page.values) return;
    if (Page.values.colour) {
      Page.scale = null;
      Page.scene?.setColours(new Uint8Array(Page.values.colour.buffer, Page.values.colour.byteOffset, 4 * Page.values.colour.length));
    } else {
      const [low, high] = [Numbers.read($("low").value), Numbers.read($("high").value)];
      if (low === null || high === null || (low >= high && !(low === high)) || ($("log").checked && low <= 0)) {
        throw new Error("the ends of the scale are two numbers, the smaller one first, above zero if it is logarithmic");
      }
      Page.scale = new Scale(low, high, $("log").checked, Page.run.maps[$("map").value]);
      Page.scene?.setColours(Page.scale.colours(Page.values.value));
    }
    Page.dirty = true;
  },

  /** Shows what the usual picture does, which leaves out what is far away. */
  whole() {
    const { field } = Page.shown.bodies.about;
    if (!field) return;
    Page.camera.show(field.centre_m, field.radius_m);
    Page.framed = Page.dirty = true;
  },

  /** Shows all bodies, however far away. */
  all() {
    const { field } = Page.shown.bodies.about;
    if (!field) return;
    let radius = field.radius_m;
    for (let k = 0; k < Page.shown.bodies.id.length; k++) {
      radius = Math.max(radius, Vec.length(Vec.sub(Page.place(k), field.centre_m)) + (Page.scene?.radius[k] ?? 0));
    }
    Page.camera.show(field.centre_m, radius);
    Page.framed = Page.dirty = true;
  },

  grains() {
    const { grains, pose } = Page.shown.bodies.about;
    if (!grains) return;
    Page.camera.show(grains.centre_m, grains.radius_m);
    if (pose) {
      // half from above and half along the ground, northwards
      const up = Vec.unit(Vec.sub(grains.centre_m, pose.origin_m));
      Page.camera.lookFrom(Vec.sub(up, Vec.cross(up, Vec.unit(Vec.cross([0, 0, 1], up)))));
    }
    Page.dirty = true;
  },

  /** Keeps in the middle what is followed. */
  async follow() {
    const wanted = $("follow").value;
    if (!wanted || !Page.shown) return;
    const body = Page.shown.bodies.id.indexOf(Number(wanted.split(" ")[1]));
    if (wanted.startsWith("body") && body >= 0) {
      Page.camera.target = Page.place(body);
      Page.dirty = true;
      return;
    }
    const found = await Source.arrays(`${Page.prefix()}frame/${Page.shown.frame}/aggregates`);
    const rank = wanted === "heaviest" ? 0 : body >= 0 ? found.aggregate[body] : -1;
    const centre = found.centre.subarray(3 * rank, 3 * rank + 3);
    if (rank >= 0 && centre.length === 3) Page.camera.target = Vec.add([...centre], found.about.origin_m);
    Page.dirty = true;
  },

  /** Where a body is (m). */
  place(k) {
    const { position, about } = Page.shown.bodies;
    return Vec.add([position[3 * k], position[3 * k + 1], position[3 * k + 2]], about.origin_m);
  },

  cut() {
    const across = $("cut").value;
    $("cut_at").disabled = across === "";
    if (across === "" || !Page.scene || !Page.shown?.bodies.about.field) return null;
    const axes = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1], view: Page.camera.back() };
    const normal = axes[across];
    const { field } = Page.shown.bodies.about;
    const middle = Vec.dot(normal, Vec.sub(field.centre_m, Page.scene.origin));
    return { normal, offset: middle + Number($("cut_at").value) * field.radius_m };
  },

  options() {
    return { stride: Page.stride, cut: Page.cut(), asteroid: $("asteroid").checked, walls: Page.run.walls && $("walls").checked, contacts: $("contacts").checked };
  },

  /** Draws what has changed, and goes on with what plays. */
  tick(now) {
    const moves = Page.playing || now - Page.moved < STILL;
    if (!moves && Page.stride > 1) [Page.stride, Page.dirty] = [1, true];
    if (Page.dirty && Page.scene && Page.shown && !$("bodies").hidden) {
      Page.dirty = false;
      if (moves) Page.stride = Page.thin = Page.followed ? Page.thinned(now - Page.before) : Page.thin ?? Math.ceil(Page.scene.count / MANY);
      [Page.before, Page.followed] = [now, moves];
      Page.draw();
    } else if (!moves) Page.followed = false;
    if (Page.playing && !Page.busy && now - (Page.since ?? 0) > EACH) {
      Page.since = now;
      const next = Page.shown.index + 1;
      if (next < Page.frames.length) Page.show(next);
      else if (!Page.goesOn()) Page.play(false);
    }
    requestAnimationFrame(Page.tick);
  },

  draw() {
    const ratio = window.devicePixelRatio || 1;
    for (const canvas of [$("picture"), $("overlay")]) {
      const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((v) => Math.max(1, Math.round(v * ratio)));
      if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    }
    Page.camera.parallel = $("parallel").checked;
    Page.scene.draw(Page.camera, Page.options());
    Page.drawn++;
    const { values, scale, camera } = Page;
    const metresAPixel = (2 * camera.extent) / Math.min($("overlay").clientHeight, $("overlay").clientWidth);
    Overlay.draw($("overlay"), {
      scale,
      name: values?.about.name,
      unit: values?.about.unit,
      all: scale && values.about.all,
      legend: values?.about.legend,
      lengths: { metresAPixel, parallel: camera.parallel },
      axes: $("axes_drawn").checked && { right: camera.right(), up: camera.up() },
      axis: $("asteroid").checked && Page.axis(),
      forces: $("contacts").checked && Page.scene.lines,
    });
  },

  /** The axis that the asteroid turns about, as far as it is seen, on the picture; null if it does not turn. */
  axis() {
    const { axis, pose } = Page.shown.bodies.about;
    if (!axis || !pose || Vec.length(axis) === 0) return null;
    const along = Vec.unit(axis);
    const towards = Vec.dot(along, Page.camera.back());
    // behind the body it is seen from where it leaves the body's outline
    const from = towards >= 0 ? 1 : 1 / Math.sqrt(1 - towards * towards);
    const at = (share) => Page.camera.project(Vec.add(pose.origin_m, Vec.scale(along, share * Page.scene.surface.radius)));
    return from < 1.3 ? [at(from), at(1.3)] : null;
  },

  play(on) {
    Page.playing = on && Page.frames.length > 1;
    $("play").textContent = Page.playing ? "Stop" : "Play";
    if (Page.playing && Page.shown.index + 1 >= Page.frames.length) Page.show(0);
  },

  async step(by) {
    Page.play(false);
    if (Page.shown) await Page.show(Math.min(Page.frames.length - 1, Math.max(0, Page.shown.index + by)));
    Plotting.draw();
  },

  tellPicked() {
    const body = Page.picked === null || !Page.shown ? -1 : Page.shown.bodies.id.indexOf(Page.picked);
    $("picked").hidden = body < 0;
    if (body < 0) return;
    const at = Page.place(body).map((v) => Numbers.text(v, 5)).join(", ");
    const lines = [`body ${Page.picked}`, `at ${at} m`, `radius ${Numbers.length(Page.scene.radius[body])}`];
    const { values } = Page;
    if (values?.value?.length && values.about.name) lines.push(`${values.about.name} ${Numbers.text(values.value[body], 5)} ${values.about.unit}`);
    $("picked").textContent = lines.join("\n");
  },

  /** Marks the body under the pointer, which can then be followed. */
  pick(event) {
    const box = $("picture").getBoundingClientRect();
    const x = (2 * (event.clientX - box.left)) / box.width - 1;
    const y = 1 - (2 * (event.clientY - box.top)) / box.height;
    const found = Page.scene.pick(Page.camera, x, y, Page.cut());
    Page.picked = found < 0 ? null : Page.shown.bodies.id[found];
    for (const option of [...$("follow").options].slice(Source.isReport ? 1 : 2)) if (option.value !== $("follow").value) option.remove();
    if (found >= 0) {
      $("follow").add(new Option(`body ${Page.picked}`, `body ${Page.picked}`));
      if (!Source.isReport) $("follow").add(new Option(`aggregate of body ${Page.picked}`, `aggregate ${Page.picked}`));
    }
    Page.tellPicked();
  },

  /** Saves the picture with its words. */
  save() {
    Page.draw();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [$("picture").width, $("picture").height];
    const pen = canvas.getContext("2d");
    pen.drawImage($("picture"), 0, 0);
    pen.drawImage($("overlay"), 0, 0);
    canvas.toBlob((blob) => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(blob);
      link.download = `${Page.run.name}_${Page.shown.frame}.png`;
      link.click();
      URL.revokeObjectURL(link.href);
    });
  },

  listen() {
    const redraw = () => { Page.dirty = true; };
    const guarded = (work) => async (...event) => {
      try {
        await work(...event);
        Page.fault("");
      } catch (e) { Page.fault(e); }
    };
    $("controls").addEventListener("submit", (e) => e.preventDefault());
    for (const id of ["asteroid", "axes_drawn", "parallel", "cut", "cut_at"]) $(id).addEventListener("input", () => { Page.cut(); redraw(); });
    for (const id of ["contacts", "walls"]) $(id).addEventListener("input", guarded(Page.extras));
    for (const id of ["low", "high", "map"]) $(id).addEventListener("change", guarded(Page.paint));
    for (const id of ["quantity", "log"]) $(id).addEventListener("change", guarded(() => Page.colour(false)));
    $("fit").addEventListener("click", guarded(() => Page.colour(true)));
    $("follow").addEventListener("change", guarded(Page.follow));
    $("inertial").addEventListener("change", () => Page.shown && Page.show(Page.shown.index));
    $("whole").addEventListener("click", Page.all);
    $("grains").addEventListener("click", Page.grains);
    $("save").addEventListener("click", Page.save);
    $("slider").addEventListener("input", () => { $("newest").checked = false; Page.play(false); Page.show(Number($("slider").value)); });
    $("slider").addEventListener("change", () => Plotting.draw());
    $("play").addEventListener("click", () => Page.play(!Page.playing));
    $("back").addEventListener("click", () => Page.step(-1));
    $("on").addEventListener("click", () => Page.step(1));
    $("tabs").addEventListener("click", (e) => e.target.dataset.tab && Page.tab(e.target.dataset.tab));
    new ResizeObserver(redraw).observe($("stage"));
    Gestures.listen($("picture"));
  },

  /** Of how many bodies one is drawn next, if the last picture took so long (ms). */
  thinned(gap) {
    if (Page.scene.count < MANY) return 1;
    const wanted = gap > SLOW ? Page.stride * Math.ceil(gap / SLOW) : gap < QUICK ? Page.stride / 2 : Page.stride;
    return Math.max(1, Math.min(64, Math.round(wanted)));
  },

  /** The view has been moved. */
  moves() {
    Page.moved = performance.now();
    Page.dirty = true;
  },

  tab(name) {
    for (const main of document.querySelectorAll(".tab")) main.hidden = main.id !== name;
    for (const button of $("tabs").children) button.setAttribute("aria-pressed", button.dataset.tab === name);
    Page.dirty = true;
    Plotting.draw();
  },
};

Page.open().catch(Page.fault);
