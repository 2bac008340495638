"use strict";
// Draws a frame with WebGL 2. Coordinates count from the frame's origin, so that 32 bits hold them.

class Scene {
  /** Bodies in a row of a texture. */
  static WIDTH = 2048;
  /** Radius in pixels below which a sphere is drawn as a point. */
  static DOT = 4;
  /** Size of bodies behind contact forces. */
  static HAZE = 0.35;

  constructor(canvas) {
    const gl = canvas.getContext("webgl2", { antialias: true, alpha: false });
    if (!gl) throw new Error("this browser has no WebGL 2, which draws the bodies; the series and the rest are there");
    this.gl = gl;
    this.canvas = canvas;
    this.programs = Object.fromEntries(Object.entries(SHADERS).map(([name, text]) => [name, this.program(text)]));
    this.count = 0;
    this.origin = [0, 0, 0];
    this.textures = {};
    gl.enable(gl.DEPTH_TEST);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
  }

  program(text) {
    const gl = this.gl;
    const program = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, text.vertex], [gl.FRAGMENT_SHADER, text.fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    return program;
  }

  /** A texture with four numbers a body. */
  texture(name, data) {
    const gl = this.gl;
    const isBytes = data instanceof Uint8Array;
    const rows = Math.max(1, Math.ceil(data.length / 4 / Scene.WIDTH));
    const padded = new data.constructor(rows * Scene.WIDTH * 4);
    padded.set(data);
    this.textures[name] ??= gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, this.textures[name]);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    const type = isBytes ? gl.UNSIGNED_BYTE : gl.FLOAT;
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    gl.texImage2D(gl.TEXTURE_2D, 0, isBytes ? gl.RGBA8 : gl.RGBA32F, Scene.WIDTH, rows, 0, gl.RGBA, type, padded);
  }

  /** Arrays of vertices for a program: name, data, numbers each, whether they are one an instance. */
  vertices(held, program, list) {
    const gl = this.gl;
    if (held) { gl.deleteVertexArray(held.array); held.buffers.forEach((b) => gl.deleteBuffer(b)); }
    const made = { array: gl.createVertexArray(), buffers: [] };
    gl.bindVertexArray(made.array);
    for (const { name, data, width, each } of list) {
      const buffer = gl.createBuffer();
      made.buffers.push(buffer);
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
      const at = gl.getAttribLocation(this.programs[program], name);
      gl.enableVertexAttribArray(at);
      if (data instanceof Uint32Array) gl.vertexAttribIPointer(at, width, gl.UNSIGNED_INT, 0, 0);
      else gl.vertexAttribPointer(at, width, gl.FLOAT, false, 4 * (each?.stride ?? 0), 4 * (each?.offset ?? 0));
      if (each) gl.vertexAttribDivisor(at, 1);
    }
    gl.bindVertexArray(null);
    return made;
  }

  /** What the bodies are. */
  setShapes(shapes) {
    this.radius = shapes.radius;
    this.largest = shapes.radius.reduce((a, b) => Math.max(a, b), 0);
    this.corners = shapes.corner ? shapes.corner.length / 3 : 0;
    if (this.corners > 0) {
      this.polyhedra = this.vertices(this.polyhedra, "polyhedron", [
        { name: "corner", data: shapes.corner, width: 3 }, { name: "body", data: shapes.body, width: 1 },
      ]);
    }
  }

  /** Where they are. */
  setBodies(bodies) {
    this.count = bodies.id.length;
    this.position = bodies.position;
    this.origin = bodies.about.origin_m;
    this.pose = bodies.about.pose;
    const places = new Float32Array(4 * this.count);
    let far = 0;
    for (let k = 0; k < this.count; k++) {
      const [x, y, z] = bodies.position.subarray(3 * k, 3 * k + 3);
      places.set([x, y, z, this.radius[k]], 4 * k);
      far = Math.max(far, x * x + y * y + z * z);
    }
    this.far = Math.sqrt(far);
    this.texture("positions", places);
    if (bodies.orientation.length > 0) this.texture("orientations", bodies.orientation);
  }

  /** Four bytes a body. */
  setColours(rgba) { this.texture("colours", rgba); }

  setSurface(surface) {
    const gl = this.gl;
    this.surface = this.vertices(this.surface, "surface", [{ name: "corner", data: surface.corner, width: 3 }]);
    this.surface.count = surface.triangle.length;
    this.surface.radius = surface.about.radius_m;
    gl.bindVertexArray(this.surface.array);
    const index = gl.createBuffer();
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, index);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, surface.triangle, gl.STATIC_DRAW);
    gl.bindVertexArray(null);
  }

  /** Polygons, from the origin of the frame. */
  setWalls(plates) {
    const corners = [];
    for (const { corners: c } of plates) {
      const from = c.map((p) => Vec.sub(p, this.origin));
      for (let k = 1; k + 1 < from.length; k++) corners.push(...from[0], ...from[k], ...from[k + 1]);
    }
    this.walls = this.vertices(this.walls, "surface", [{ name: "corner", data: new Float32Array(corners), width: 3 }]);
    this.walls.count = corners.length / 3;
  }

  setContacts(contacts) {
    const gl = this.gl;
    const strided = (offset) => ({ stride: 6, offset });
    this.lines = this.vertices(this.lines, "line", [
      { name: "from", data: contacts.ends, width: 3, each: strided(0) },
      { name: "to", data: contacts.ends, width: 3, each: strided(3) },
      { name: "force", data: contacts.force, width: 1, each: {} },
    ]);
    this.lines.count = contacts.force.length;
    this.lines.mean = contacts.about.mean_n;
    this.lines.origin = Vec.sub(contacts.about.origin_m, this.origin);
    gl.bindVertexArray(null);
  }

  use(name, camera, options) {
    const gl = this.gl;
    const program = this.programs[name];
    gl.useProgram(program);
    const at = (uniform) => gl.getUniformLocation(program, uniform);
    gl.uniformMatrix4fv(at("view"), false, camera.view);
    gl.uniformMatrix4fv(at("projection"), false, camera.projection);
    const cut = options.cut ?? { normal: [0, 0, 0], offset: 1 };
    gl.uniform4f(at("cut"), ...cut.normal, cut.offset);
    gl.uniform1i(at("parallel_rays"), options.parallel ? 1 : 0);
    ["positions", "colours", "orientations"].forEach((texture, unit) => {
      if (!this.textures[texture] || !at(texture)) return;
      gl.activeTexture(gl.TEXTURE0 + unit);
      gl.bindTexture(gl.TEXTURE_2D, this.textures[texture]);
      gl.uniform1i(at(texture), unit);
    });
    gl.uniform1i(at("width"), Scene.WIDTH);
    gl.uniform1i(at("stride"), options.stride);
    return at;
  }

  draw(camera, options) {
    const gl = this.gl;
    const [width, height] = [this.canvas.width, this.canvas.height];
    gl.viewport(0, 0, width, height);
    gl.clearColor(1, 1, 1, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const ground = options.asteroid && this.surface;
    const place = this.pose ?? { origin_m: [0, 0, 0], orientation: [0, 0, 0, 1] };
    const from = Vec.sub(place.origin_m, this.origin);
    const reach = Math.max((this.far ?? 0) + (this.largest ?? 0), ground ? Vec.length(from) + this.surface.radius : 0);
    const matrices = camera.matrices(width / height, this.origin, reach);
    const chosen = { ...options, parallel: camera.parallel };
    if (this.count > 0 && this.textures.colours) this.drawBodies(camera, matrices, chosen);
    if (ground) this.drawPlates(this.surface, matrices, chosen, [0.60, 0.57, 0.53, 1], from, place.orientation);
    if (options.contacts && this.lines) this.drawLines(matrices, chosen);
    if (options.walls && this.walls) {
      gl.enable(gl.BLEND);
      gl.depthMask(false);
      this.drawPlates(this.walls, matrices, chosen, [0.50, 0.57, 0.65, 0.22], [0, 0, 0], [0, 0, 0, 1]);
      gl.depthMask(true);
      gl.disable(gl.BLEND);
    }
    gl.bindVertexArray(null);
  }

  drawBodies(camera, matrices, options) {
    const gl = this.gl;
    const share = options.contacts ? Scene.HAZE : 1;
    if (this.corners > 0) {
      gl.uniform1f(this.use("polyhedron", matrices, options)("share"), share);
      gl.bindVertexArray(this.polyhedra.array);
      gl.drawArrays(gl.TRIANGLES, 0, this.corners);
      return;
    }
    // half the height of the picture in metres, or at a distance of one metre
    const scale = camera.parallel ? camera.extent : Camera.TANGENT;
    const side = Math.min(this.canvas.height, this.canvas.width);
    const isSmall = (share * this.largest * side) / (2 * camera.extent) < Scene.DOT;
    const at = this.use(isSmall ? "dot" : "sphere", matrices, options);
    const drawn = Math.floor(this.count / options.stride);
    gl.bindVertexArray(null);
    if (isSmall) {
      gl.uniform1f(at("pixels"), (share * side) / (2 * scale));
      gl.drawArrays(gl.POINTS, 0, drawn);
      return;
    }
    gl.uniform1f(at("pixel"), (1.5 * scale) / side);
    gl.uniform1f(at("share"), share);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, drawn);
  }

  drawPlates(what, matrices, options, tint, origin, turn) {
    const gl = this.gl;
    const at = this.use("surface", matrices, options);
    gl.uniform4f(at("tint"), ...tint);
    gl.uniform3f(at("origin"), ...origin);
    gl.uniform4f(at("turn"), ...turn);
    gl.bindVertexArray(what.array);
    if (what === this.surface) gl.drawElements(gl.TRIANGLES, what.count, gl.UNSIGNED_INT, 0);
    else gl.drawArrays(gl.TRIANGLES, 0, what.count);
  }

  drawLines(matrices, options) {
    const gl = this.gl;
    const at = this.use("line", matrices, options);
    gl.uniform2f(at("size"), this.canvas.width, this.canvas.height);
    // without forces any width serves, but not a division by zero
    gl.uniform1f(at("mean"), this.lines.mean || 1);
    gl.uniform3f(at("origin"), ...this.lines.origin);
    gl.bindVertexArray(this.lines.array);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, this.lines.count);
  }

  /** The nearest body under a spot of the picture, or -1. */
  pick(camera, x, y, cut) {
    const { from, along } = camera.ray(x, y, this.canvas.width / this.canvas.height, this.origin);
    let [best, nearest] = [-1, Infinity];
    for (let k = 0; k < this.count; k++) {
      const p = [this.position[3 * k], this.position[3 * k + 1], this.position[3 * k + 2]];
      if (cut && Vec.dot(cut.normal, p) > cut.offset) continue;
      const to = Vec.sub(p, from);
      const middle = Vec.dot(to, along);
      const miss = Vec.dot(to, to) - middle * middle;
      const r = this.radius[k];
      if (miss > r * r || middle < 0) continue;
      const hit = middle - Math.sqrt(r * r - miss);
      if (hit < nearest) [best, nearest] = [k, hit];
    }
    return best;
  }
}
