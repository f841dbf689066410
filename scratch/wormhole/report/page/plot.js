// Charts of curves, by uPlot.

const AXIS_FONT = "12px system-ui, -apple-system, 'Segoe UI', Roboto, Arial, sans-serif";
const PAPER_WIDTH = 690; // of A4 between its margins, in pixels of CSS
const PAPER_SHARPNESS = 3; // dots per such pixel

/** All charts that are shown: {host, render()}. */
const shown = [];

/** Part of simulated time that is looked at, ns: of all charts over time. */
const view = { full: [0, 1], zoom: null };

/**
 * Shows a chart, and again whenever its width or the colours change.
 * @param render (host, width) draws it; may return {setTime(min, max), destroy()}
 */
function addChart(host, render) {
  const chart = { host, drawn: null };
  chart.render = () => {
    if (chart.drawn && chart.drawn.destroy) {
      chart.drawn.destroy();
    }
    host.replaceChildren();
    chart.drawn = render(host, widthOf(host)) || null;
  };
  chart.render();
  shown.push(chart);
}

function widthOf(host) {
  if (!theme.printing) {
    return Math.max(host.clientWidth, 240);
  }
  return host.closest(".pair") ? (PAPER_WIDTH - 10) / 2 : PAPER_WIDTH;
}

function setTimeView(zoom) {
  view.zoom = zoom;
  const [min, max] = zoom || view.full;
  for (const chart of shown) {
    if (chart.drawn && chart.drawn.setTime) {
      chart.drawn.setTime(min, max);
    }
  }
  document.getElementById("show-all").hidden = zoom === null;
}

let sharpLibrary = null;

/** uPlot draws with the sharpness of the screen; paper wants more, so it gets an instance of its own. */
function plotLibrary() {
  if (!theme.printing) {
    return uPlot;
  }
  sharpLibrary = sharpLibrary || new Function("devicePixelRatio",
    document.getElementById("plot-library").textContent + "; return uPlot;")(PAPER_SHARPNESS);
  return sharpLibrary;
}

function axisOptions(label, format) {
  return {
    label,
    labelSize: LEFT_LABEL,
    labelGap: 0,
    font: AXIS_FONT,
    labelFont: AXIS_FONT,
    stroke: styleColour("--quiet"),
    grid: { stroke: styleColour("--grid"), width: 1 },
    ticks: { stroke: styleColour("--grid"), width: 1, size: 5 },
    values: (plot, splits) => splits.map((v) => (v === null ? "" : format(v))),
  };
}

const LEFT_LABEL = 20; // pixels for what an axis is called

/** What comes closest to a curve's dashes in the legend. */
function borderStyle(dash) {
  return !dash || dash.length === 0 ? "solid" : dash[0] > 4 ? "dashed" : "dotted";
}

/** Where a logarithmic axis from min to max has its marks: at 1, 2 and 5 times the powers of ten. */
function logMarks(size, min, max) {
  const marks = [];
  for (let power = 10 ** Math.floor(Math.log10(min / size)); power <= max / size; power *= 10) {
    marks.push(...[1, 2, 5].map((k) => k * power * size).filter((v) => v >= min && v <= max));
  }
  return marks;
}

/** Room for the longest number at the left; charts over time have the same, so that their times are
 * above each other. */
function leftSize(plot, values) {
  const longest = (values || []).reduce((most, text) => Math.max(most, text.length), 0);
  return Math.max(38, 14 + longest * 7);
}

/**
 * Draws what is beside the curves, but not outside the axes.
 * @param draw ({left, top, width, height}) draws it there; may change the context's settings
 */
function drawInside(plot, draw) {
  const { left, top, width, height } = plot.bbox;
  plot.ctx.save();
  plot.ctx.beginPath();
  plot.ctx.rect(left, top, width, height);
  plot.ctx.clip();
  draw(plot.bbox);
  plot.ctx.restore();
}

/**
 * Draws curves.
 * @param chart {curves: [{label, colour, dash, fill, x, y, text}], xLabel, yLabel, xFormat, yFormat,
 *   xText, steps, logX, time, height, yRange, xRange, logY, before(plot)}; each curve has its own x
 */
function drawCurves(host, width, chart) {
  const Plot = plotLibrary();
  const same = chart.curves.every((curve) => curve.x === chart.curves[0].x);
  const data = same ? [chart.curves[0].x, ...chart.curves.map((curve) => curve.y)]
    : Plot.join(chart.curves.map((curve) => [curve.x, curve.y]));
  const steps = Plot.paths.stepped({ align: 1 });
  const options = {
    width,
    height: chart.height || 270,
    padding: [10, 14, 0, 0],
    scales: {
      x: { time: false, distr: chart.logX ? 3 : 1, ...(chart.logX ? { range: (plot, min, max) => [min / 1.15, max * 1.15] } : chart.xRange ? { range: chart.xRange } : {}),
        ...(chart.time ? { auto: false, min: view.full[0], max: view.full[1] } : {}) },
      y: { distr: chart.logY ? 3 : 1, range: chart.yRange || ((plot, min, max) => [0, max > 0 ? max * 1.06 : 1]) },
    },
    axes: [
      { ...axisOptions(chart.xLabel, chart.xFormat), space: chart.logX ? 34 : 64, size: 28,
        ...(chart.logX ? { splits: (plot, i, min, max) => logMarks(chart.xSize || 1, min, max), filter: null } : {}) },
      { ...axisOptions(chart.yLabel, chart.yFormat), size: chart.time ? GANTT_LEFT - LEFT_LABEL : leftSize, space: 34,
        ...(chart.logY ? { splits: (plot, i, min, max) => logMarks(1, min, max), filter: null } : {}) },
    ],
    series: [{ label: chart.xName, value: (plot, v) => (v === null ? "" : chart.xText(v)) },
      ...chart.curves.map((curve) => ({
        label: curve.label,
        stroke: curve.colour,
        fill: curve.fill,
        dash: curve.dash,
        width: curve.width || 1.6,
        spanGaps: true,
        points: { show: curve.points === true },
        paths: chart.steps ? steps : undefined,
        value: (plot, v, s, i) => (i === null ? "" : curve.text(i, data[s])),
      }))],
    legend: { markers: { width: 3, stroke: (plot, i) => chart.curves[i - 1].colour, fill: () => null, dash: (plot, i) => borderStyle(chart.curves[i - 1].dash) } },
    cursor: {
      drag: { x: true, y: false, setScale: false },
      points: { size: 6 },
      bind: { dblclick: (plot) => () => zoomTo(plot, chart, null) },
      ...(chart.time ? { sync: { key: "time", scales: ["x", null], filters: { pub: (type) => type === "mousemove" || type === "mouseleave" } } } : {}),
    },
    hooks: {
      setSelect: [(plot) => {
        if (plot.select.width > 3) {
          zoomTo(plot, chart, [plot.posToVal(plot.select.left, "x"), plot.posToVal(plot.select.left + plot.select.width, "x")]);
        }
        plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
      }],
      drawClear: chart.before ? [chart.before] : [],
    },
  };
  const plot = new Plot(options, data, host);
  return {
    plot,
    destroy: () => plot.destroy(),
    setTime: chart.time ? (min, max) => plot.setScale("x", { min, max }) : null,
  };
}

/** Charts over time are zoomed together, others alone. */
function zoomTo(plot, chart, range) {
  if (chart.time) {
    setTimeView(range);
    return;
  }
  const x = plot.data[0];
  const [min, max] = range || [x[0], x[x.length - 1]];
  plot.setScale("x", { min, max });
}

/** The value that holds at index i: of the curve's own last point. */
function heldValue(values, i) {
  while (i > 0 && (values[i] === null || values[i] === undefined)) {
    --i;
  }
  return values[i] === undefined ? null : values[i];
}

/** Options of a chart over simulated time. */
function timeAxis() {
  const [size, unit] = unitFor(view.full[1], TIME_UNITS);
  return {
    time: true,
    xLabel: `simulated time [${unit}]`,
    xName: "time",
    xFormat: (ns) => digits(ns / size, 6),
    xText: (ns) => timeText(ns, 6),
  };
}
