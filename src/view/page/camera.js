"use strict";
// The eye: it turns about a point, comes nearer, and moves aside. z is up.

class Camera {
  /** Tangent of half the angle of the picture: a long lens, as in the pictures of `breccia render`. */
  static TANGENT = 0.22;

  constructor() {
    this.target = [0, 0, 0];
    this.extent = 1;
    this.azimuth = 0;
    this.height = 0;
    this.parallel = false;
  }

  /** Looks from this direction. */
  lookFrom(direction) {
    const d = Vec.unit(direction);
    this.azimuth = Math.atan2(d[1], d[0]);
    this.height = Math.asin(Math.max(-1, Math.min(1, d[2])));
  }

  /** Shows a sphere. */
  show(centre, radius) {
    this.target = [...centre];
    this.extent = Math.max(radius, 1e-9) * 1.05;
  }

  back() {
    const c = Math.cos(this.height);
    return [c * Math.cos(this.azimuth), c * Math.sin(this.azimuth), Math.sin(this.height)];
  }
  right() { return [-Math.sin(this.azimuth), Math.cos(this.azimuth), 0]; }
  up() { return Vec.cross(this.back(), this.right()); }
  distance() { return this.extent / Camera.TANGENT; }
  eye() { return Vec.add(this.target, Vec.scale(this.back(), this.distance())); }

  turn(dx, dy) {
    this.azimuth -= dx;
    this.height = Math.max(-Math.PI / 2, Math.min(Math.PI / 2, this.height + dy));
  }
  zoom(factor) { this.extent = Math.max(1e-6, Math.min(1e15, this.extent * factor)); }
  /** Moves aside by parts of the picture's half height. */
  move(dx, dy) {
    const aside = Vec.add(Vec.scale(this.right(), -dx * this.extent), Vec.scale(this.up(), dy * this.extent));
    this.target = Vec.add(this.target, aside);
  }

  /** Matrices for a picture; `origin` is where coordinates count from, `reach` how far things are from it. */
  matrices(aspect, origin, reach) {
    const wide = Math.min(1, aspect);
    const eye = Vec.sub(this.eye(), origin);
    const away = Vec.length(eye);
    const far = away + reach * 1.01 + this.extent;
    const near = Math.max(away - reach * 1.01 - this.extent, this.distance() * 1e-3);
    const view = Matrix.view(eye, this.right(), this.up(), this.back());
    const projection = this.parallel
      ? Matrix.parallel(this.extent / wide, aspect, -reach - this.extent, far)
      : Matrix.perspective(Camera.TANGENT / wide, aspect, near, far);
    return { view, projection, eye };
  }

  /** Where a point is on the picture, in half its smaller side, from its middle. */
  project(point) {
    const from = Vec.sub(point, this.target);
    const away = this.parallel ? this.distance() : this.distance() - Vec.dot(from, this.back());
    return [this.right(), this.up()].map((axis) => (Vec.dot(from, axis) / this.extent) * (this.distance() / away));
  }

  /** The ray through a spot of the picture, both from -1 to 1, from `origin`. */
  ray(x, y, aspect, origin) {
    const wide = Math.min(1, aspect);
    const plane = Vec.add(Vec.scale(this.right(), x * aspect * this.extent / wide), Vec.scale(this.up(), y * this.extent / wide));
    const through = Vec.sub(Vec.add(this.target, plane), origin);
    const back = this.back();
    if (this.parallel) return { from: Vec.add(through, Vec.scale(back, this.distance())), along: Vec.scale(back, -1) };
    const from = Vec.sub(this.eye(), origin);
    return { from, along: Vec.unit(Vec.sub(through, from)) };
  }
}
