"use strict";
// Programs of the GPU. Poses and colours of bodies are in textures, so that a new frame moves no vertices.

const COMMON = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
uniform mat4 view;
uniform mat4 projection;
uniform vec4 cut;
uniform bool parallel_rays;
`;

const LIGHT = `
vec3 lit(vec3 colour, vec3 normal) {
  float sun = max(dot(normal, normalize(vec3(-0.5, 0.65, 0.6))), 0.0);
  float sky = 0.5 + 0.5 * normal.y;
  return colour * (0.42 + 0.14 * sky + 0.5 * sun);
}
vec3 flat_normal(vec3 place) {
  vec3 n = normalize(cross(dFdx(place), dFdy(place)));
  return n.z < 0.0 ? -n : n;
}
`;

const BODY = `
// places, and radii as the fourth number
uniform sampler2D positions;
uniform sampler2D colours;
uniform int width;
// of so many bodies one is drawn
uniform int stride;
ivec2 cell(int k) { return ivec2(k % width, k / width); }
bool is_cut(vec3 place) { return dot(cut.xyz, place) > cut.w; }
`;

const SHADERS = {
  /** A sphere is a square that faces the eye; its pixels find where their rays meet it. */
  sphere: {
    vertex: `${COMMON}${BODY}
uniform float pixel;
uniform float share;
flat out vec3 centre;
flat out float reach;
flat out vec3 tint;
out vec3 place;
void main() {
  ivec2 own = cell(gl_InstanceID * stride);
  vec4 body = texelFetch(positions, own, 0);
  vec3 at = body.xyz;
  centre = (view * vec4(at, 1.0)).xyz;
  tint = texelFetch(colours, own, 0).rgb;
  float away = parallel_rays ? 1.0 : length(centre);
  // no body is smaller than a dot
  reach = max(body.w * share, pixel * (parallel_rays ? 1.0 : away));
  vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0;
  vec3 back = parallel_rays ? vec3(0.0, 0.0, 1.0) : -centre / away;
  vec3 right = normalize(cross(abs(back.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0), back));
  vec3 up = cross(back, right);
  float slope = reach / away;
  float half_side = parallel_rays ? reach : reach / sqrt(max(1.0 - slope * slope, 1e-6));
  place = centre + (right * corner.x + up * corner.y) * half_side;
  bool hidden = is_cut(at) || (!parallel_rays && away < reach * 1.001);
  gl_Position = hidden ? vec4(2.0, 2.0, 2.0, 1.0) : projection * vec4(place, 1.0);
}`,
    fragment: `${COMMON}${LIGHT}
flat in vec3 centre;
flat in float reach;
flat in vec3 tint;
in vec3 place;
out vec4 colour;
void main() {
  vec3 along = parallel_rays ? vec3(0.0, 0.0, -1.0) : normalize(place);
  vec3 from = parallel_rays ? vec3(place.xy, 0.0) : vec3(0.0);
  vec3 to = centre - from;
  float middle = dot(to, along);
  vec3 miss = to - middle * along;
  float inside = reach * reach - dot(miss, miss);
  if (inside < 0.0) discard;
  vec3 hit = from + (middle - sqrt(inside)) * along;
  vec4 seen = projection * vec4(hit, 1.0);
  gl_FragDepth = 0.5 * seen.z / seen.w + 0.5;
  colour = vec4(lit(tint, (hit - centre) / reach), 1.0);
}`,
  },
  /** A sphere of a few pixels: a point, which costs one vertex and has the depth of its middle. */
  dot: {
    vertex: `${COMMON}${BODY}
uniform float pixels;
flat out vec3 tint;
void main() {
  ivec2 own = cell(gl_VertexID * stride);
  vec4 body = texelFetch(positions, own, 0);
  vec3 at = body.xyz;
  vec4 centre = view * vec4(at, 1.0);
  tint = texelFetch(colours, own, 0).rgb;
  gl_PointSize = max(2.0 * pixels * body.w / (parallel_rays ? 1.0 : max(-centre.z, 1e-9)), 1.5);
  gl_Position = is_cut(at) ? vec4(2.0, 2.0, 2.0, 1.0) : projection * centre;
}`,
    fragment: `${COMMON}${LIGHT}
flat in vec3 tint;
out vec4 colour;
void main() {
  vec2 from = 2.0 * gl_PointCoord - 1.0;
  float away = dot(from, from);
  if (away > 1.0) discard;
  colour = vec4(lit(tint, vec3(from.x, -from.y, sqrt(1.0 - away))), 1.0);
}`,
  },
  /** Triangles of polyhedra, in the frames of their bodies. */
  polyhedron: {
    vertex: `${COMMON}${BODY}
uniform sampler2D orientations;
uniform float share;
in vec3 corner;
in uint body;
flat out vec3 tint;
out vec3 place;
vec3 turned(vec4 q, vec3 v) { vec3 t = 2.0 * cross(q.xyz, v); return v + q.w * t + cross(q.xyz, t); }
void main() {
  int k = int(body);
  vec3 at = texelFetch(positions, cell(k), 0).xyz;
  tint = texelFetch(colours, cell(k), 0).rgb;
  place = (view * vec4(at + turned(texelFetch(orientations, cell(k), 0), share * corner), 1.0)).xyz;
  gl_Position = is_cut(at) ? vec4(2.0, 2.0, 2.0, 1.0) : projection * vec4(place, 1.0);
}`,
    fragment: `${COMMON}${LIGHT}
flat in vec3 tint;
in vec3 place;
out vec4 colour;
void main() { colour = vec4(lit(tint, flat_normal(place)), 1.0); }`,
  },
  /** The surface of the asteroid, and walls. */
  surface: {
    vertex: `${COMMON}
uniform vec3 origin;
uniform vec4 turn;
in vec3 corner;
out vec3 place;
out vec3 world;
void main() {
  vec3 t = 2.0 * cross(turn.xyz, corner);
  world = origin + corner + turn.w * t + cross(turn.xyz, t);
  place = (view * vec4(world, 1.0)).xyz;
  gl_Position = projection * vec4(place, 1.0);
}`,
    fragment: `${COMMON}${LIGHT}
uniform vec4 tint;
in vec3 place;
in vec3 world;
out vec4 colour;
void main() {
  if (tint.a == 1.0 && dot(cut.xyz, world) > cut.w) discard;
  colour = vec4(tint.a < 1.0 ? tint.rgb : lit(tint.rgb, flat_normal(place)), tint.a);
}`,
  },
  /** Lines as wide as forces: a box of two triangles between two ends. */
  line: {
    vertex: `${COMMON}
uniform vec2 size;
uniform float mean;
uniform vec3 origin;
in vec3 from;
in vec3 to;
in float force;
flat out vec3 tint;
void main() {
  bool hidden = dot(cut.xyz, 0.5 * (from + to) + origin) > cut.w;
  vec4 a = projection * (view * vec4(from + origin, 1.0));
  vec4 b = projection * (view * vec4(to + origin, 1.0));
  vec2 way = (b.xy / b.w - a.xy / a.w) * size;
  vec2 aside = normalize(vec2(-way.y, way.x) + vec2(1e-9)) / size;
  float wide = clamp(3.0 * abs(force) / mean, 0.6, 16.0);
  vec4 end = (gl_VertexID >> 1) == 0 ? a : b;
  end.xy += aside * wide * ((gl_VertexID & 1) == 0 ? -1.0 : 1.0) * end.w;
  tint = force < 0.0 ? vec3(0.0, 0.45, 0.70) : vec3(0.80, 0.25, 0.05);
  gl_Position = hidden || force == 0.0 ? vec4(2.0, 2.0, 2.0, 1.0) : end;
}`,
    fragment: `${COMMON}
flat in vec3 tint;
out vec4 colour;
void main() { colour = vec4(tint, 1.0); }`,
  },
};
