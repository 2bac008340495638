//! Scripts of the page of a run, by node where it is installed.

use breccia::view::resource::{PAGE, SCRIPT};
use std::process::Command;

/// What the page has of a browser, as far as its scripts ask for it while they are read.
const BROWSER: &str = "
const fields = {};
const element = (id) => (fields[id] ??= {
  value: '', checked: false, hidden: false, textContent: '', options: [], dataset: {}, children: [],
  addEventListener() {}, add(option) { this.options.push(option); }, replaceChildren(...all) { this.options = all; },
});
globalThis.document = { getElementById: element, querySelector: () => null, querySelectorAll: () => [] };
globalThis.window = { devicePixelRatio: 1 };
globalThis.Option = function (text, value) { return { text, value }; };
/** A canvas that keeps what is written and how lines go. */
const canvas = () => {
  const drawn = { words: [], lines: [] };
  const pen = new Proxy({
    fillText: (text) => drawn.words.push(text),
    moveTo: (x, y) => drawn.lines.push(['to', x, y]),
    lineTo: (x, y) => drawn.lines.push(['on', x, y]),
    measureText: (text) => ({ width: 7 * text.length }),
  }, { get: (known, name) => known[name] ?? (() => {}), set: () => true });
  return { drawn, clientWidth: 500, clientHeight: 200, getContext: () => pen };
};
const same = (found, expected) => {
  const [a, b] = [found, expected].map((v) => JSON.stringify(v));
  if (a !== b) throw new Error(`${a}, ${b} expected`);
};
";

/// Runs a script with those of the page, where node is installed. What it throws fails the test.
fn script(code: &str) {
    let scripts: String = PAGE.iter().filter(|(_, kind, _)| *kind == SCRIPT).map(|(.., text)| *text).collect();
    let scripts = scripts.replace("Page.open().catch(Page.fault);", "");
    let whole = format!(
        "{BROWSER}{scripts}\n(async () => {{ {code} }})().catch((e) => {{ console.error(e); process.exit(1); }});"
    );
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.js");
    std::fs::write(&file, whole).unwrap();
    // a loop without an end would hang the test
    let Ok(mut node) = Command::new("node").arg(&file).stderr(std::process::Stdio::piped()).spawn() else {
        eprintln!("SKIPPED: node, which runs the page's scripts, is not installed");
        return;
    };
    for _ in 0..600 {
        if node.try_wait().unwrap().is_some() {
            let done = node.wait_with_output().unwrap();
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    node.kill().unwrap();
    panic!("the script does not end");
}

#[test]
fn a_column_that_varies_by_rounding_is_drawn_as_constant() {
    script(
        "for (const ulps of [1, 2, 4]) {
          const high = 0.2 + ulps * 2 ** -55;
          same(Numbers.ticks(0.2, high), [0.2]);
          const plot = canvas();
          Plots.draw(plot, [0, 1, 2], [0.2, high, 0.2], null);
          same(plot.drawn.lines.length, 4);
          if (plot.drawn.words.length < 6) throw new Error(`few ticks: ${plot.drawn.words}`);
        }
        same(Numbers.ticks(0, 1).map((v) => Numbers.text(v)), ['0', '0.2', '0.4', '0.6', '0.8', '1']);",
    );
}

#[test]
fn ticks_of_the_page_that_differ_have_texts_that_differ() {
    script(
        "for (const [low, high] of [[1e6, 1e6 + 2], [0.2, 0.20001], [0, 1], [-3e-9, 4e-9], [1e12, 1e12 + 5]]) {
          const texts = Plots.labelled(Numbers.ticks(low, high)).map(([, text]) => text);
          if (texts.length < 3 || new Set(texts).size !== texts.length) throw new Error(`${texts}`);
          const ends = Page.written([low, high]).map(Number);
          if (!(ends[1] - ends[0] > 0.99 * (high - low))) throw new Error(`ends ${ends}`);
        }
        same(Page.written([0, 0.123456789]), ['0', '0.1234568']);",
    );
}

#[test]
fn columns_are_named_in_words_with_their_unit() {
    script(
        "same(Plots.words('wall.top.torque_x_n_m'), 'wall.top.torque x [N m]');
        same(Plots.words('latitude_mean_deg'), 'latitude mean [degrees]');
        same(Plots.words('semi_axis_a_m'), 'semi axis a [m]');
        same(Plots.words('contacts'), 'contacts');",
    );
}

#[test]
fn columns_without_a_number_do_not_change_and_gaps_stay() {
    script(
        "const series = new Series();
        series.columns = ['step', 'time_s', 'none', 'late', 'still'];
        series.rows = [[0, 0, NaN, NaN, 1], [1, 1, NaN, 2, 1]];
        same(series.moving(), ['late']);
        const [times, values] = [[], []];
        for (let k = 0; k < 100; k++) { times.push(k); values.push(k % 10 === 7 ? k : NaN); }
        same(Plots.thinned(times, values, 10).filter(([, v]) => v === v).map(([t]) => t / 10 | 0).length, 20);
        values.fill(NaN, 20, 40);
        same(Plots.thinned(times, values, 10).filter(([, v]) => v !== v).length, 2);
        const plot = canvas();
        Plots.draw(plot, [0, 1, 2, 3, 4], [1, 2, NaN, 3, NaN], null);
        same(plot.drawn.lines.map(([how]) => how), ['to', 'on', 'on', 'to', 'on']);",
    );
}

#[test]
fn frames_without_bodies_count_neither_for_scales_nor_for_the_camera() {
    script(
        "const of = (value, range) => ({ value, about: { name: 'speed', range, all: range && [Math.min(...value), Math.max(...value)] } });
        const held = { 0: of([], null), 1: of([1, 3], [0, 3]), 2: of([], null) };
        held[0].about.range = held[2].about.range = [0, 1];
        Source.arrays = async (name) => held[name.split('/')[1]];
        Page.frames = [0, 1, 2].map((frame) => ({ frame }));
        Page.shown = { frame: 2, bodies: { id: [], about: { field: null, grains: null } } };
        same(await Page.ends(held[2], 'speed', false), [0, 3]);
        same(await Page.ends(held[2], 'speed', true), null);
        Page.whole(); Page.all(); Page.grains();
        same([Page.framed, Page.cut(), Page.camera.extent], [false, null, 1]);",
    );
}

#[test]
fn the_button_all_shows_all_bodies() {
    script(
        "const sphere = { centre_m: [1, 0, 0], radius_m: 2 };
        Page.scene = { radius: [0.5, 0.5] };
        Page.shown = { bodies: { id: [0, 1], position: [0, 0, 0, 9, 0, 0], about: { origin_m: [1, 0, 0], field: sphere, grains: sphere } } };
        Page.whole();
        same(Page.camera.extent, 2.1);
        Page.all();
        same(Page.camera.extent, 9.5 * 1.05);
        same([1, 2, 1200].map((n) => Page.count(n)), ['1 body', '2 bodies', '1,200 bodies']);
        same(Page.count(27, 0), '0 of 27 bodies in this frame');",
    );
}

#[test]
fn the_page_follows_the_aggregate_of_a_body_and_the_heaviest() {
    script(
        "Page.shown = { frame: 0, bodies: { id: [7, 8, 9], position: [0, 0, 0, 5, 0, 0, 7, 0, 0], about: { origin_m: [0, 0, 0] } } };
        Source.arrays = async () => ({ aggregate: [0, 1, 1], centre: new Float32Array([-6, 0, 0, 0, 0, 0]), about: { origin_m: [6, 0, 0] } });
        for (const [wanted, at] of [['heaviest', 0], ['aggregate 7', 0], ['aggregate 8', 6], ['aggregate 9', 6], ['body 9', 7]]) {
          $('follow').value = wanted;
          await Page.follow();
          same(Page.camera.target, [at, 0, 0]);
        }",
    );
}

#[test]
fn a_logarithmic_scale_says_what_lies_below_it() {
    script(
        "const pen = canvas();
        const scale = new Scale(1e-12, 1e3, true, [0, 0, 0, 255, 255, 255]);
        Overlay.bar(pen.getContext(), { scale, name: 'speed', unit: '', all: [1e-14, 1] }, 500);
        if (!pen.drawn.words.includes('values from 1e-14')) throw new Error(`${pen.drawn.words}`);",
    );
}

/// A polyhedron that is drawn at its full size hides the forces between the centres.
#[test]
fn polyhedra_make_room_for_contact_forces() {
    script(
        "const told = {};
        const scene = Object.assign(Object.create(Scene.prototype), {
          corners: 3, polyhedra: {}, gl: new Proxy({ uniform1f: (name, value) => { told[name] = value; } }, { get: (gl, name) => gl[name] ?? (() => {}) }),
          use: () => (name) => name,
        });
        for (const [contacts, share] of [[false, 1], [true, Scene.HAZE]]) {
          scene.drawBodies({}, {}, { contacts });
          same(told.share, share);
        }
        if (!SHADERS.polyhedron.vertex.includes('share * corner')) throw new Error('the shader does not take the share');",
    );
}

/// A second wish for colours while the first one waits: the fields of the scale are those of the second, whichever comes last.
#[test]
fn colours_are_those_of_the_last_wish() {
    script(
        "const waiting = [], painted = [];
        const speeds = { about: { name: 'speed', all: [1, 2], range: [1, 2], log_range: [1, 2] } };
        Source.arrays = () => new Promise((done) => waiting.push(done));
        Source.has = () => false;
        Page.frames = [{ frame: 0 }];
        Page.shown = { frame: 0 };
        Page.paint = () => painted.push($('log').checked);
        $('quantity').value = 'speed';
        const first = Page.colour(false);
        $('log').checked = true;
        const second = Page.colour(false);
        waiting[1](speeds);
        await second;
        $('low').value = 'typed';
        waiting[0]({ about: { ...speeds.about, range: [5, 6], log_range: [5, 6] } });
        await first;
        same(painted, [true]);
        same([$('low').value, Page.scaleOf, Page.values === speeds], ['typed', 'speed true', true]);",
    );
}
