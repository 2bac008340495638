"use strict";
// Numbers for people.

const Numbers = {
  /** A number with so many digits, without zeros at its end. */
  text(value, digits = 4) {
    if (!Number.isFinite(value)) return "none";
    const size = Math.abs(value);
    if (value !== 0 && (size >= 1e6 || size < 1e-3)) return value.toExponential(digits - 1).replace(/\.?0+e/, "e").replace("e+", "e");
    return String(Number(value.toPrecision(digits)));
  },

  /** A whole number with commas. */
  whole(value) { return Math.round(value).toLocaleString("en-US"); },

  /** A time (s) in the unit that people would take. */
  time(seconds, digits = 4) {
    const size = Math.abs(seconds);
    if (size < 600) return `${Numbers.text(seconds, digits)} s`;
    if (size < 7200) return `${Numbers.text(seconds / 60, digits)} min`;
    if (size < 172800) return `${Numbers.text(seconds / 3600, digits)} h`;
    if (size < 6.3e7) return `${Numbers.text(seconds / 86400, digits)} d`;
    return `${Numbers.text(seconds / 3.15576e7, digits)} a`;
  },

  /** A length (m) in the unit that people would take. */
  length(metres) {
    for (const [factor, unit] of [[1e3, "km"], [1, "m"], [1e-2, "cm"], [1e-3, "mm"]]) {
      if (Math.abs(metres) >= factor) return `${Numbers.text(metres / factor)} ${unit}`;
    }
    return `${Numbers.text(metres)} m`;
  },

  /** A unit with the prefix that makes a number of this size handy, and the factor to it. */
  prefixed(unit, size) {
    const takes = ["m", "m/s", "m/s2", "Pa", "N", "J", "W", "s"].includes(unit);
    const found = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "\u00b5"], [1e-9, "n"]].find(([factor]) => size >= factor);
    return takes && found ? { unit: found[1] + unit, factor: 1 / found[0] } : { unit, factor: 1 };
  },

  bytes(count) {
    for (const [factor, unit] of [[1e9, "GB"], [1e6, "MB"], [1e3, "kB"]]) {
      if (count >= factor) return `${Numbers.text(count / factor, 3)} ${unit}`;
    }
    return `${count} bytes`;
  },

  /** Whether a range is so narrow that rounding alone makes it. */
  isConstant(low, high) { return !(high - low > 1e-12 * Math.max(Math.abs(low), Math.abs(high))); },

  /** Digits that tell values of a list apart, `least` of them at least. */
  digits(values, least = 3) {
    const sorted = [...values].sort((a, b) => a - b);
    const steps = sorted.slice(1).map((v, k) => v - sorted[k]).filter((step) => step > 0);
    const size = Math.max(...sorted.map(Math.abs));
    if (steps.length === 0 || size === 0) return least;
    const [first, last] = [size, Math.min(...steps) * (1 + 1e-9)].map((v) => Math.floor(Math.log10(v)));
    return Math.min(17, Math.max(least, first - last + 1));
  },

  /** Round values from low to high, about so many. */
  ticks(low, high, count = 5) {
    if (Numbers.isConstant(low, high)) return [low];
    const raw = (high - low) / count;
    const power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw);
    const list = [];
    const first = Math.ceil(low / step - 1e-9);
    for (let k = 0; k <= count + 1 && (first + k) * step <= high + 1e-9 * step; k++) list.push((first + k) * step);
    return list;
  },

  /** The largest of 1, 2 and 5 times a power of ten that is at most so large. */
  round(most) {
    const power = 10 ** Math.floor(Math.log10(most) + 1e-9);
    return [5, 2, 1].map((m) => m * power).find((v) => v <= most * (1 + 1e-8)) ?? NaN;
  },

  /** Powers of ten from low to high, with twos and fives where there are few. */
  decades(low, high) {
    const list = (digits) => {
      const found = [];
      for (let e = Math.floor(Math.log10(low)); e <= Math.ceil(Math.log10(high)); e++) {
        for (const d of digits) found.push(d * 10 ** e);
      }
      return found.filter((v) => v >= low * (1 - 1e-9) && v <= high * (1 + 1e-9));
    };
    const tens = list([1]);
    if (tens.length > 7) return tens.filter((_, k) => k % Math.ceil(tens.length / 6) === 0);
    return tens.length >= 3 ? tens : list([1, 2, 5]);
  },

  /** The number that a field holds, or null. */
  read(text) {
    const value = text.trim() === "" ? NaN : Number(text);
    return Number.isFinite(value) ? value : null;
  },
};
