"use strict";
// Where the page has its data from: the server that it came from, or the file that it is in.

const Source = {
  /** Whether the page is a report, which holds all its data. */
  isReport: document.querySelector("script[data-name]") !== null,
  /** Bytes that were received. */
  received: 0,

  async bytes(name) {
    if (Source.isReport) return Source.kept(name);
    const response = await fetch(name);
    const bytes = await response.arrayBuffer();
    Source.received += bytes.byteLength;
    if (response.ok) return bytes;
    let what = response.statusText;
    try { what = JSON.parse(new TextDecoder().decode(bytes)).error; } catch { /* the text of the status tells */ }
    throw new Error(what);
  },

  async kept(name) {
    const element = document.querySelector(`script[data-name="${CSS.escape(name)}"]`);
    if (!element) throw new Error(`this report does not hold ${name}; breccia view shows all of a run`);
    const packed = Uint8Array.from(atob(element.textContent), (c) => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).arrayBuffer();
  },

  has(name) { return !Source.isReport || document.querySelector(`script[data-name="${CSS.escape(name)}"]`) !== null; },

  async text(name) { return new TextDecoder().decode(await Source.bytes(name)); },
  async json(name) { return JSON.parse(await Source.text(name)); },

  /** Arrays by their names, and what the header says of them. */
  async arrays(name) {
    const bytes = await Source.bytes(name);
    const length = new DataView(bytes).getUint32(0, true);
    const header = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length)));
    const found = { about: header.about };
    let at = 4 + length;
    for (const array of header.arrays) {
      found[array.name] = array.type === "f32" ? new Float32Array(bytes, at, array.length) : new Uint32Array(bytes, at, array.length);
      at += 4 * array.length;
    }
    return found;
  },

  /** Shapes of bodies: a report keeps them by their key. */
  shapes(prefix, frame, key) { return Source.arrays(Source.isReport ? `shapes/${key}` : `${prefix}frame/${frame}/shapes`); },
};
