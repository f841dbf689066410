// Colours, light and dark. Those of curves are Okabe and Ito's, which colour-blind people can tell
// apart, made darker or lighter where the background asks for it.

const CURVES = {
  light: ["#0072b2", "#d55e00", "#009e73", "#b1568b", "#b88000", "#3a9bd6", "#5a5a5a", "#7a5cc0"],
  dark: ["#56b4e9", "#ff8a3d", "#2fc99c", "#e08fbf", "#e6b422", "#9fd3f5", "#b8b8b8", "#a994f0"],
};

/** What fast-forward does with a partition. */
const STATES = {
  running: { light: "#0072b2", dark: "#4aa8e0", text: "running: simulated, not recorded" },
  recording: { light: "#74bde8", dark: "#9fd3f5", text: "recording: simulated, and kept as an episode" },
  replaying: { light: "#e69f00", dark: "#e69f00", text: "replaying: a known episode is replayed" },
  following: { light: "#f0dc50", dark: "#f0e442", text: "following: waits for a like partition's episode" },
  skipping: { light: "#009e73", dark: "#1fb589", text: "skipping: a steady state is skipped" },
  waking: { light: "#d55e00", dark: "#ff7f2a", text: "waking: packets are restored" },
  suspended: { light: "#9a9a9a", dark: "#8a8a8a", text: "suspended: simulated, since fast-forward would not pay" },
};

const KINDS = {
  computation: { light: "#0072b2", dark: "#4aa8e0", text: "computation" },
  communication: { light: "#e69f00", dark: "#e69f00", text: "communication" },
};

const THEMES = ["auto", "light", "dark"];
const theme = { chosen: "auto", printing: false };

function isDark() {
  if (theme.printing) {
    return false;
  }
  return theme.chosen === "dark" ||
    (theme.chosen === "auto" && window.matchMedia("(prefers-color-scheme: dark)").matches);
}

function applyTheme() {
  document.documentElement.dataset.theme = isDark() ? "dark" : "light";
  document.getElementById("theme").textContent =
    { auto: "◐ Auto", light: "☀ Light", dark: "☾ Dark" }[theme.chosen];
}

function colourOf(entry) {
  return isDark() ? entry.dark : entry.light;
}

function stateColour(state) {
  return colourOf(STATES[state] || { light: "#777777", dark: "#999999" });
}

function curveColour(i) {
  const colours = CURVES[isDark() ? "dark" : "light"];
  return colours[i % colours.length];
}

/** Colours repeat after some curves; then dashes tell them apart. */
function curveDash(i) {
  return [[], [8, 4], [2, 3], [10, 3, 2, 3]][Math.floor(i / CURVES.light.length) % 4];
}

/** A colour of the style sheet. */
function styleColour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

const RAMPS = {
  light: [[203, 213, 224], [86, 160, 205], [38, 98, 168], [76, 29, 120], [140, 10, 60]],
  dark: [[70, 80, 96], [52, 120, 170], [60, 190, 170], [200, 210, 80], [255, 240, 150]],
};

/** A colour for a share in [0, 1]: lighter or darker with every step, so that it reads in grey too. */
function rampColour(share) {
  const ramp = RAMPS[isDark() ? "dark" : "light"];
  const place = Math.min(Math.max(share, 0), 1) * (ramp.length - 1);
  const i = Math.min(Math.floor(place), ramp.length - 2);
  const mix = ramp[i].map((c, k) => Math.round(c + (ramp[i + 1][k] - c) * (place - i)));
  return `rgb(${mix.join(",")})`;
}
