"""The page of a run in a real browser: it draws, the slider moves, what it shows is what the frames hold."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import breccia
import numpy as np
import pytest
from conftest import REPOSITORY

playwright = pytest.importorskip("playwright.sync_api", reason="playwright, which drives a browser, is not installed")

BROWSERS = ["chromium", "chromium-browser", "google-chrome"]
FLAGS = [
    "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
]  # fmt: skip

READY = "() => Page.shown !== null && !Page.busy && Page.drawn > 0"
INK = """() => {
  Page.draw();
  const gl = Page.scene.gl, [w, h] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
  const pixels = new Uint8Array(4 * w * h);
  gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  let ink = 0;
  for (let k = 0; k < pixels.length; k += 4) if (pixels[k] + pixels[k + 1] + pixels[k + 2] < 765) ink++;
  return ink / (w * h);
}"""
"""Share of the pixels that are not white."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A browser without a window."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.skip(f"none of {', '.join(BROWSERS)} is installed")
    with playwright.sync_playwright() as p:
        browser = p.chromium.launch(executable_path=found, args=FLAGS)
        yield browser
        browser.close()


@contextmanager
def tab(browser: Any, url: str, **options: Any) -> Iterator[Any]:
    """A page whose console says nothing wrong and that asks nobody but its own origin."""
    context = browser.new_context(viewport={"width": 1100, "height": 700}, **options)
    page = context.new_page()
    wrong: list[str] = []
    asked: list[str] = []
    page.on("console", lambda m: wrong.append(m.text) if m.type in ("error", "warning") and "GPU stall" not in m.text else None)
    page.on("pageerror", lambda e: wrong.append(str(e)))
    page.on("request", lambda r: asked.append(r.url))
    page.goto(url)
    yield page
    assert wrong == []
    own = url.rpartition("/")[0]
    assert [u for u in asked if not u.startswith((own, "data:", "blob:"))] == []
    context.close()


@contextmanager
def served(run: Path) -> Iterator[str]:
    """The address of a run's page."""
    process = subprocess.Popen([os.environ["BRECCIA_BINARY"], "view", str(run), "--json"], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield json.loads(process.stdout.readline())["url"]
    finally:
        process.terminate()
        process.communicate()


@pytest.fixture(scope="module")
def pile(tmp_path_factory: pytest.TempPathFactory) -> breccia.Run:
    """A few spheres that fall together, with contacts."""
    out = tmp_path_factory.mktemp("runs") / "pile"
    change = {"bodies.0.count": 27, "run.duration_s": 1500, "output.frames": 5, "output.series_rows": 50, "output.contacts": True}
    return breccia.run("accretion_small", change, out=out, engine="reference", expect="off")


def shows(page: Any, run: breccia.Run, index: int) -> None:
    """What the page holds of a frame is what its files hold."""
    frame = run.frames[index]
    assert page.evaluate("Page.shown.frame") == frame.number
    origin = page.evaluate("Page.shown.bodies.about.origin_m")
    positions = np.reshape(page.evaluate("[...Page.shown.bodies.position]"), (-1, 3)) + origin
    np.testing.assert_allclose(positions, frame.position_m, atol=1e-4)
    speed = np.linalg.norm(frame.velocity_m_s, axis=1)
    np.testing.assert_allclose(page.evaluate("[...Page.values.value]"), speed, rtol=1e-5, atol=1e-12)
    assert f"frame {frame.number}," in page.text_content("#instant")


@pytest.fixture
def parts(browser: Any) -> Iterator[Any]:
    """The page of the sources without a run, whose parts can be called one by one."""
    source = REPOSITORY / "src/view/page"
    html = (source / "page.html").read_text(encoding="utf-8")
    page = browser.new_page()
    page.set_content(re.sub("<!-- links -->.*<!-- end of links -->", "", html, flags=re.S))
    for name in re.findall(r'<script defer src="(\w+\.js)">', html):
        page.add_script_tag(path=source / name)
    page.evaluate("() => { said = []; Overlay.halo = (pen, text) => said.push(text); }")
    yield page
    page.close()


def test_there_is_a_bar_of_length_at_every_zoom(parts: Any) -> None:
    zooms = [*np.geomspace(1e-6, 1e4, 301), 0.01 / 180, 1 / 180, 1000 / 180]
    bars = parts.evaluate(
        """(zooms) => zooms.map((metresAPixel) => {
          const long = [];
          Overlay.length({ fillRect: (x, y, width) => long.push(width) }, { metresAPixel, parallel: true }, 800, 600);
          return long;
        })""",
        zooms,
    )
    for zoom, bar in zip(zooms, bars, strict=True):
        assert len(bar) == 1 and 72 - 1e-6 < bar[0] < 180 + 1e-6, zoom
        length = bar[0] * zoom
        assert f"{length:.6e}"[0] in "125" and f"{length:.6e}"[1:8] == ".000000", length
    assert parts.evaluate("said")[-3:] == ["1 cm", "1 m", "1 km"]


def test_a_frame_without_contacts_has_no_mean_force(parts: Any) -> None:
    told = """(force) => {
      const scene = new Scene($("picture"));
      const ends = new Float32Array(6 * force.length);
      const mean_n = force.reduce((a, b) => a + b, 0) / Math.max(1, force.length);
      scene.setContacts({ ends, force: new Float32Array(force), about: { origin_m: [0, 0, 0], mean_n } });
      said = [];
      Overlay.draw($("overlay"), { forces: scene.lines });
      return said;
    }"""
    assert parts.evaluate(told, []) == ["no contacts in this frame"]
    assert parts.evaluate(told, [2.0, 4.0]) == ["pushes with 3 N, the mean; wider with more", "pulls"]


def test_the_head_has_the_bodies_of_the_frame(parts: Any) -> None:
    told = """([run, frame]) => {
      Page.run = { summary: { status: "done", manifest: { bodies: run, steps: 9 }, expect: [] } };
      Page.shown = frame === null ? null : { bodies: { id: new Uint32Array(frame) } };
      Page.tell();
      return $("state").textContent;
    }"""
    assert parts.evaluate(told, [27, None]) == parts.evaluate(told, [27, 27]) == "done; 27 bodies"
    assert parts.evaluate(told, [27, 0]) == "done; 0 of 27 bodies in this frame"
    assert parts.evaluate(told, [1, 0]) == "done; 0 of 1 body in this frame"


def test_what_has_no_logarithm_is_named(parts: Any) -> None:
    failed = """() => {
      Page.frames = [{ frame: 0 }];
      Page.shown = { frame: 0 };
      $("log").checked = true;
      const about = { name: "contacts", all: [0, 0], range: [0, 0], log_range: null };
      return Page.ends({ about }, "coordination", true).catch((e) => e.message);
    }"""
    assert parts.evaluate(failed) == "contacts: no value is above zero, which a logarithmic scale needs"


def test_a_frame_of_a_region_without_bodies_is_headed_so(browser: Any) -> None:
    two = {
        "run": {"duration_s": 0.1},
        "material": [{"density_kg_m3": 2500, "speed_max_m_s": 0.1, "restitution_normal": 0.5, "friction_sliding": 0.5}],
        "bodies": [{"generator": "list", "body": [{"position_m": [k, 0, 0], "radius_m": 0.1} for k in (0, 1)]}],
        "region": [{"name": "far", "min_m": [50, 0, 0], "max_m": [60, 1, 1]}],
        "output": {"region": "far", "frames": 1, "series_rows": 1},
    }
    with served(breccia.run(breccia.scenario(two), engine="reference").path) as url, tab(browser, url) as page:
        page.wait_for_function(READY)
        assert page.text_content("#state").endswith("; 0 of 2 bodies in this frame")


def test_the_page_draws_and_its_slider_moves(browser: Any, pile: breccia.Run) -> None:
    with served(pile.path) as url, tab(browser, url) as page:
        page.wait_for_function(READY)
        shows(page, pile, -1)
        assert 0.05 < page.evaluate(INK) < 0.9
        page.evaluate("() => { $('slider').value = 2; $('slider').dispatchEvent(new Event('input')); }")
        page.wait_for_function("() => Page.shown.index === 2 && !Page.busy")
        shows(page, pile, 2)
        half = page.evaluate(INK)
        page.select_option("#cut", "x")
        assert page.evaluate(INK) < 0.9 * half, "a cut leaves out bodies"
        page.select_option("#cut", "")
        page.select_option("#quantity", "pressure")
        page.wait_for_function("() => Page.values.about.name === 'pressure'")
        page.check("#log")
        page.wait_for_function("() => Page.scale.logarithmic")
        assert page.evaluate("Page.scale.low") > 0
        page.fill("#low", "7")
        page.fill("#high", "3")
        page.dispatch_event("#high", "change")
        page.wait_for_selector("#fault:not([hidden])")
        page.click("#fit")
        page.wait_for_selector("#fault", state="hidden")
        page.check("#contacts")
        page.wait_for_function("() => Page.scene.lines !== undefined")
        page.check("#parallel")
        assert page.evaluate(INK) > 0.01


def test_a_body_is_picked_and_followed(browser: Any, pile: breccia.Run) -> None:
    with served(pile.path) as url, tab(browser, url) as page:
        page.wait_for_function(READY)
        box = page.locator("#picture").bounding_box()
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        body = page.evaluate("Page.picked")
        assert body is not None and f"body {body}" in page.text_content("#picked")
        page.select_option("#follow", f"body {body}")
        at = pile.frames[-1].position_m[list(pile.frames[-1].id).index(body)]
        np.testing.assert_allclose(page.evaluate("Page.camera.target"), at, atol=1e-4)
        page.select_option("#follow", "heaviest")
        page.wait_for_timeout(200)
        assert not np.allclose(page.evaluate("Page.camera.target"), at, atol=1e-4)


def test_series_and_expectations_are_told(browser: Any, pile: breccia.Run) -> None:
    with served(pile.path) as url, tab(browser, url) as page:
        page.wait_for_function(READY)
        page.click("[data-tab=series]")
        assert page.locator("#plots figure").count() >= 4
        rows = page.evaluate("Page.series.column('kinetic_translational_j')")
        np.testing.assert_array_equal(rows, pile.series["kinetic_translational_j"])
        page.click("[data-tab=about]")
        assert pile.manifest["scenario_hash"] in page.text_content("#about")


def test_a_run_that_goes_on_is_followed(browser: Any, folder: Path) -> None:
    command = [os.environ["BRECCIA_BINARY"], "run", "accretion_small", "--out", "live", "--engine", "reference", "--expect", "off"]
    change = ["--set", "bodies.0.count=125", "--set", "output.frames=2000", "--set", "run.duration_s=100000"]
    process = subprocess.Popen([*command, *change], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        while not (folder / "live/frames/000001/time.json").exists():
            assert process.poll() is None
        with served(folder / "live") as url, tab(browser, url) as page:
            page.wait_for_function(READY)
            before = page.evaluate("[Page.frames.length, Page.series.rows.length]")
            page.wait_for_function(f"() => Page.frames.length > {before[0]} && Page.series.rows.length > {before[1]}", timeout=60000)
            page.wait_for_function("() => Page.shown.index === Page.frames.length - 1", timeout=60000)
            told = "(words) => $('state').textContent.includes(words)"
            page.wait_for_function(told, arg="ends in about", timeout=60000)
            assert "which a run judges at its end" in page.text_content("#about")
            process.terminate()
            process.wait()
            page.wait_for_function(told, arg="stopped", timeout=60000)
            stopped_at = page.evaluate("Page.series.last('step')")
            resume = [os.environ["BRECCIA_BINARY"], "resume", "live", "--expect", "off"]
            process = subprocess.Popen(resume, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
            page.wait_for_function(f"() => Page.goesOn() && Page.series.last('step') > {stopped_at}", timeout=60000)
            page.wait_for_function(told, arg="running", timeout=60000)
            numbers = page.evaluate("Page.frames.map((f) => f.frame)")
            assert numbers == list(range(len(numbers))), "each frame once, in order"
    finally:
        process.kill()
        process.wait()


def test_a_report_needs_no_network(browser: Any, pile: breccia.Run, folder: Path) -> None:
    out = folder / "report.html"
    subprocess.run([os.environ["BRECCIA_BINARY"], "report", str(pile.path), "--out", str(out)], check=True)
    with tab(browser, out.as_uri(), offline=True) as page:
        page.wait_for_function(READY)
        shows(page, pile, -1)
        page.click("#back")
        page.wait_for_function("() => Page.shown.index === 4 && !Page.busy")
        shows(page, pile, 4)
        assert page.evaluate(INK) > 0.05


def test_words_of_a_run_are_no_script(browser: Any, pile: breccia.Run, folder: Path) -> None:
    hostile = folder / "<img src=x onerror=alert(1)>"
    shutil.copytree(pile.path, hostile)
    manifest = json.loads((hostile / "manifest.json").read_text())
    manifest["ended"] = "</td><script>document.title='taken'</script>"
    manifest["warnings"] = ["<iframe src=file:///>"]
    (hostile / "manifest.json").write_text(json.dumps(manifest))
    out = folder / "report.html"
    subprocess.run([os.environ["BRECCIA_BINARY"], "report", str(hostile), "--out", str(out)], check=True)
    for url in [None, out.as_uri()]:
        with served(hostile) as address, tab(browser, url or address) as page:
            page.on("dialog", lambda d: pytest.fail(d.message))
            page.wait_for_function(READY)
            assert page.locator("img, iframe").count() == 0
            assert "taken" not in page.title() and "<iframe" in page.text_content("#about")
