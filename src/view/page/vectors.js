"use strict";
// Vectors of three numbers, and matrices of four columns.

const Vec = {
  add: (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]],
  sub: (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]],
  scale: (a, s) => [a[0] * s, a[1] * s, a[2] * s],
  dot: (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2],
  cross: (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]],
  length: (a) => Math.hypot(a[0], a[1], a[2]),
  unit(a) { const l = Vec.length(a); return l > 0 ? Vec.scale(a, 1 / l) : [0, 0, 1]; },
};

const Matrix = {
  /** From the world to a camera with this eye and these axes. */
  view(eye, right, up, back) {
    const at = (axis) => -Vec.dot(axis, eye);
    return new Float32Array([
      right[0], up[0], back[0], 0, right[1], up[1], back[1], 0, right[2], up[2], back[2], 0, at(right), at(up), at(back), 1,
    ]);
  },
  perspective(tangent, aspect, near, far) {
    const m = new Float32Array(16);
    m[0] = 1 / (tangent * aspect); m[5] = 1 / tangent;
    m[10] = (far + near) / (near - far); m[11] = -1; m[14] = 2 * far * near / (near - far);
    return m;
  },
  parallel(half, aspect, near, far) {
    const m = new Float32Array(16);
    m[0] = 1 / (half * aspect); m[5] = 1 / half;
    m[10] = 2 / (near - far); m[14] = (far + near) / (near - far); m[15] = 1;
    return m;
  },
};
