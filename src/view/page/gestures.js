"use strict";
// Mouse, touch and keys on the picture.

/** They turn, move and zoom the view, pick a body, and start and stop. */
const Gestures = {
  listen(picture) {
    let held = null;
    picture.addEventListener("pointerdown", (e) => {
      held = { x: e.clientX, y: e.clientY, moved: 0, aside: e.button !== 0 || e.shiftKey };
      picture.setPointerCapture(e.pointerId);
    });
    picture.addEventListener("pointermove", (e) => {
      if (!held) return;
      const [dx, dy] = [e.clientX - held.x, e.clientY - held.y];
      held.moved += Math.abs(dx) + Math.abs(dy);
      [held.x, held.y] = [e.clientX, e.clientY];
      if (held.aside) Page.camera.move((2 * dx) / picture.clientHeight, (2 * dy) / picture.clientHeight);
      else Page.camera.turn(dx * 0.008, dy * 0.008);
      Page.moves();
    });
    picture.addEventListener("pointerup", (e) => {
      if (held && held.moved < 4 && Page.shown) Page.pick(e);
      held = null;
    });
    picture.addEventListener("contextmenu", (e) => e.preventDefault());
    picture.addEventListener("wheel", (e) => {
      e.preventDefault();
      Page.camera.zoom(Math.exp(e.deltaY * 0.001));
      Page.moves();
    }, { passive: false });
    picture.addEventListener("keydown", (e) => {
      const turns = { ArrowLeft: [0.1, 0], ArrowRight: [-0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] };
      if (turns[e.key]) Page.camera.turn(...turns[e.key]);
      else if (e.key === "+" || e.key === "-") Page.camera.zoom(e.key === "+" ? 0.9 : 1 / 0.9);
      else if (e.key === " ") Page.play(!Page.playing);
      else return;
      e.preventDefault();
      Page.moves();
    });
  },
};
