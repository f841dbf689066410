// Numbers as people read them, with their units.

/** The unit that suits values up to `most`, of pairs [size, name] from large to small. */
function unitFor(most, units) {
  return units.find(([size]) => Math.abs(most) >= size) || units[units.length - 1];
}

const TIME_UNITS = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]];
const BYTE_UNITS = [[1e15, "PB"], [1e12, "TB"], [1e9, "GB"], [1e6, "MB"], [1e3, "kB"], [1, "B"]];
const RATE_UNITS = [[1e12, "Tb/s"], [1e9, "Gb/s"], [1e6, "Mb/s"], [1e3, "kb/s"], [1, "b/s"]];
const COUNT_UNITS = [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""]];

/** Three significant digits, without an exponent and trailing zeros. */
function digits(value, significant = 3) {
  if (value === 0 || !Number.isFinite(value)) {
    return value === 0 ? "0" : "–";
  }
  const rounded = Number(value.toPrecision(significant));
  return rounded.toLocaleString("en", { maximumSignificantDigits: 12 });
}

function withUnit(value, units, significant = 3) {
  if (value === null || value === undefined) {
    return "–";
  }
  const [size, name] = value === 0 ? units[units.length - 1] : unitFor(value, units);
  return digits(value / size, significant) + (name ? "\u00a0" + name : "");
}

const timeText = (ns, significant = 4) => withUnit(ns, TIME_UNITS, significant);
const bytesText = (bytes) => withUnit(bytes, BYTE_UNITS);
const rateText = (bps) => withUnit(bps, RATE_UNITS);
const shortCount = (count) => withUnit(count, COUNT_UNITS).replace("\u00a0", "\u202f");

function countText(count) {
  return count === null || count === undefined ? "–" : Math.round(count).toLocaleString("en");
}

/** A share as a percentage: 0.0123 is "1.23 %". */
function percentText(share) {
  if (share === null || share === undefined) {
    return "–";
  }
  return digits(share * 100, 3) + "\u00a0%";
}

/** A share next to 1 must not be rounded to it: 0.9987 is "99.87 %". */
function largeShareText(share) {
  if (share === null || share === undefined) {
    return "–";
  }
  const percent = share * 100;
  return (percent > 99 && percent < 100 ? Math.min(percent, 99.99).toFixed(2) : digits(percent, 3)) + "\u00a0%";
}

function secondsText(seconds) {
  if (seconds === null || seconds === undefined) {
    return "–";
  }
  if (seconds < 120) {
    return withUnit(seconds * 1e9, TIME_UNITS, 3);
  }
  return seconds < 7200 ? digits(seconds / 60) + "\u00a0min" : digits(seconds / 3600) + "\u00a0h";
}

function timesText(factor) {
  return factor === null || factor === undefined ? "–" : digits(factor, factor < 10 ? 3 : factor < 1000 ? 3 : 4) + "\u00a0×";
}
