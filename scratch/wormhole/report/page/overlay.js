// Several runs, or controls of a sweep, over each other: slowdown by size of flow, distributions, and
// what changes over time.

const OVER_TIME = {
  utilisation_mean: ["utilisation of links, mean", percentText],
  utilisation_max: ["utilisation of the busiest link", percentText],
  jain: ["fairness (Jain's index)", digits],
  flows: ["flows under way", digits],
  queue_bytes_p50: ["queue, p50", (bytes) => bytesText(bytes)],
  queue_bytes_p95: ["queue, p95", (bytes) => bytesText(bytes)],
  queue_bytes_p99: ["queue, p99", (bytes) => bytesText(bytes)],
  paused_ports: ["ports paused by PFC", digits],
};

const PERCENTILES = [["p50", "p50"], ["p95", "p95"], ["p99", "p99"], ["mean", "mean"]];

/** Draws the 95 % intervals of points {x, low, high}; those of single runs have no height. */
function drawIntervals(curves) {
  return (plot) => drawInside(plot, () => {
    curves.forEach((curve, i) => {
      if (!plot.series[i + 1].show) {
        return;
      }
      plot.ctx.strokeStyle = curve.colour;
      plot.ctx.globalAlpha = 0.55;
      for (const { x, low, high } of curve.intervals) {
        const at = plot.valToPos(x, "x", true);
        plot.ctx.beginPath();
        plot.ctx.moveTo(at, plot.valToPos(low, "y", true));
        plot.ctx.lineTo(at, plot.valToPos(high, "y", true));
        plot.ctx.stroke();
      }
    });
  });
}

/** From the least to the greatest of what is drawn, so far as an interval does not dwarf its curve. */
function intervalRange(curves) {
  const highest = 4 * Math.max(...curves.flatMap((curve) => curve.y.filter((y) => y !== null)));
  const points = curves.flatMap((curve) => curve.intervals);
  return [Math.min(...points.map((p) => p.low)), Math.min(Math.max(...points.map((p) => p.high)), highest)];
}

function intervalText(value, text) {
  return value.high > value.low ? `${text(value.mean)} (${text(value.low)} to ${text(value.high)})` : text(value.mean);
}

function sizeName(size) {
  return size.bytes_up_to === null ? `> ${bytesText(size.bytes_over)}` : bytesText(size.bytes_up_to);
}

/** The sizes of all curves of a kind of flow, ascending. */
function sizesOf(curves, kind) {
  const sizes = new Map();
  curves.forEach((curve) => kindOf(curve.slowdown_by_size, kind).forEach((size) => sizes.set(size.bytes_over, size)));
  return [...sizes.values()].sort((a, b) => a.bytes_over - b.bytes_over);
}

function kindOf(kinds, name) {
  const found = kinds.find((kind) => kind.kind === name);
  return found ? found.sizes : [];
}

function drawBySize(host, width, curves, kind, statistic) {
  const sizes = sizesOf(curves, kind);
  const x = sizes.map((size, i) => i);
  const drawn = curves.map((curve, i) => {
    const own = kindOf(curve.slowdown_by_size, kind);
    const values = sizes.map((size) => (own.find((s) => s.bytes_over === size.bytes_over) || {})[statistic] || null);
    // no flow is faster than alone
    const intervals = x.filter((k) => values[k]).map((k) => ({ x: k, low: Math.max(values[k].low, 1), high: values[k].high }));
    return { label: curve.name, x, y: values.map((v) => (v ? v.mean : null)), intervals, points: true,
      colour: curveColour(i), dash: curveDash(i), text: (at) => (values[at] ? intervalText(values[at], digits) : "–") };
  }).filter((curve) => curve.intervals.length > 0);
  if (drawn.length === 0) {
    return void host.append(makeMissing("No flow of this kind has a known slowdown."));
  }
  const [least, most] = intervalRange(drawn);
  return drawCurves(host, width, {
    yRange: () => [least / 1.05, most * 1.05], curves: drawn, xLabel: "flow size up to", xName: "size", xFormat: (i) => (Number.isInteger(i) && sizes[i] ? sizeName(sizes[i]) : ""),
    xText: (i) => (sizes[i] ? sizeName(sizes[i]) : ""), xRange: () => [-0.4, sizes.length - 0.6],
    yLabel: `${statistic} of slowdown`, yFormat: digits, logY: true, height: 290, before: drawIntervals(drawn) });
}

function drawOverTime(host, width, curves, metric) {
  const text = OVER_TIME[metric][1];
  const drawn = curves.filter((curve) => curve.over_time[metric]).map((curve) => {
    const i = curves.indexOf(curve);
    const bins = curve.over_time[metric];
    const x = bins.begin_ns.map((begin, k) => (begin + bins.end_ns[k]) / 2);
    return { label: curve.name, x, y: bins.mean, intervals: x.map((at, k) => ({ x: at, low: bins.low[k], high: bins.high[k] })),
      colour: curveColour(i), dash: curveDash(i), text: (at, values) => (values[at] === undefined || values[at] === null ? "" : text(values[at])) };
  });
  const end = Math.max(...curves.flatMap((curve) => Object.values(curve.over_time).map((bins) => bins.end_ns[bins.end_ns.length - 1])));
  const [size, unit] = unitFor(end, TIME_UNITS);
  const most = intervalRange(drawn)[1];
  return drawCurves(host, width, {
    yRange: () => [0, most > 0 ? most * 1.06 : 1], curves: drawn, xLabel: `simulated time [${unit}]`, xName: "time", xFormat: (ns) => digits(ns / size, 6), xText: (ns) => timeText(ns),
    yLabel: OVER_TIME[metric][0], yFormat: text, height: 290, before: drawIntervals(drawn) });
}

/** A table of what the chart by size shows. */
function bySizeTable(curves, kind, statistic) {
  return makeTable([
    { head: "flow size up to", name: true, value: sizeName },
    ...curves.map((curve) => ({ head: curve.name, number: true, value: (size) => {
      const own = kindOf(curve.slowdown_by_size, kind).find((s) => s.bytes_over === size.bytes_over);
      return own && own[statistic] ? intervalText(own[statistic], digits) : "–";
    } })),
  ], sizesOf(curves, kind), { class: "full" });
}

/** A chart with a table, drawn again whenever one of its choices changes. */
function chosenChart(section, choices, draw, table) {
  const chosen = choices.map(([, options]) => options[0][0]);
  const plot = make("div", { class: "plot" });
  const below = make("div", {});
  const again = () => {
    below.replaceChildren(...(table ? [table(...chosen)] : []));
    shown.filter((chart) => chart.host === plot).forEach((chart) => chart.render());
  };
  const controls = choices.map(([label, options], i) => (options.length < 2 ? null : makeChoice(label, options, chosen[i], (value) => {
    chosen[i] = value;
    again();
  })));
  section.append(make("div", { class: "controls" }, ...controls), plot, below);
  addChart(plot, (host, width) => draw(host, width, ...chosen));
  again();
}

function showDistributionsOver(section, curves) {
  const kinds = [...new Set(curves.flatMap((curve) => curve.distributions.map((d) => d.kind)))];
  if (kinds.length === 0) {
    return;
  }
  section.append(make("h3", {}, "Completion times and slowdowns, of all seeds together"));
  const entries = (kind, part) => curves.map((curve) => [curve, curve.distributions.find((d) => d.kind === kind)])
    .filter(([, d]) => d && d[part]).map(([curve, d]) => ({ label: curve.name, kind: { [part]: d } }));
  for (const [part, axis] of [["fct_ns", FCT_AXIS], ["slowdown", SLOWDOWN_AXIS]]) {
    chosenChart(section, [["Kind of flow:", kinds.map((kind) => [kind, kindName(kind)])]], (host, width, kind) =>
      drawDistribution(host, width, distributionCurves(entries(kind, part), part, part), axis));
  }
}

function showScenario(section, curves) {
  const kinds = [...new Set(curves.flatMap((curve) => curve.slowdown_by_size.map((k) => k.kind)))];
  if (kinds.length > 0) {
    section.append(make("h3", {}, "Slowdown by size of flow"));
    chosenChart(section, [["Statistic:", [PERCENTILES[1], ...PERCENTILES.filter(([p]) => p !== "p95")]], ["Kind of flow:", kinds.map((kind) => [kind, kindName(kind)])]],
      (host, width, statistic, kind) => drawBySize(host, width, curves, kind, statistic), (statistic, kind) => bySizeTable(curves, kind, statistic));
  }
  showDistributionsOver(section, curves);
  const metrics = Object.keys(OVER_TIME).filter((metric) => curves.some((curve) => curve.over_time[metric]));
  if (metrics.length > 0) {
    section.append(make("h3", {}, "Over time"));
    chosenChart(section, [["Quantity:", metrics.map((metric) => [metric, OVER_TIME[metric][0]])]],
      (host, width, metric) => drawOverTime(host, width, curves, metric));
  }
}

function showOverlay(section, run, data) {
  if (!data.overlay) {
    section.append(makeMissing("Nothing was recorded: run with --record."));
    return;
  }
  const { scenarios } = data.overlay;
  const runs = Math.max(...scenarios.flatMap((scenario) => scenario.curves.map((curve) => curve.runs)));
  section.append(make("p", { class: "quiet" }, runs > 1
    ? `Means over up to ${runs} seeds; bars are 95 % confidence intervals. Over time, each bin counts the runs that reach it.`
    : "Flows of a size have the given percentile of slowdown. Runs whose flows differ, as those of two seeds, are compared by this, not flow by flow."));
  const part = make("div", {});
  const show = (i) => {
    for (let k = shown.length - 1; k >= 0; --k) {
      if (part.contains(shown[k].host)) {
        const [gone] = shown.splice(k, 1);
        if (gone.drawn && gone.drawn.destroy) {
          gone.drawn.destroy();
        }
      }
    }
    part.replaceChildren();
    showScenario(part, scenarios[i].curves);
  };
  if (scenarios.length > 1) {
    section.append(make("div", { class: "controls" }, makeChoice("Scenario:", scenarios.map((s, i) => [String(i), s.name || "runs"]), "0", (value) => show(Number(value)))));
  }
  section.append(part);
  show(0);
}
