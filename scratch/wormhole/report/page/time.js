// What changes over simulated time: rates, queues, partitions, events.

function pairName(pair) {
  return `${pair.src} → ${pair.dst}`;
}

/** A legend of those states that occur. */
function stateLegend(names) {
  return makeLegend(Object.keys(STATES).filter((s) => names.has(s)).map((s) => [stateColour(s), STATES[s].text]));
}

/** Shades the stretches of a pair behind its curve. */
function shadeStretches(pair) {
  return (plot) => drawInside(plot, ({ top, height }) => {
    plot.ctx.globalAlpha = isDark() ? 0.3 : 0.26;
    for (const stretch of pair.stretches) {
      const from = plot.valToPos(stretch.begin_ns, "x", true);
      const to = plot.valToPos(stretch.end_ns, "x", true);
      plot.ctx.fillStyle = stateColour(stretch.state);
      plot.ctx.fillRect(from, top, Math.max(to - from, 0.5), height);
    }
  });
}

const MEANS = 300; // of a rate, from the left of its chart to the right
const MOST_WHOLE = 11; // pairs: of more, curves hold their peaks only, which have no means

/**
 * The rate of a pair as it is drawn from `from` to `to`. A sample of a slow flow holds a packet or none,
 * so that many samples beside each other show as a band; their means do not.
 */
function meanRates(rates, pair, from, to) {
  const x = pair.time_ns;
  const span = (to - from) / MEANS;
  if (x.length < 2 || rates.pairs.length > MOST_WHOLE || !(rates.period_ns > 0) || span <= 2 * rates.period_ns) {
    return { x, y: pair.rate_bps };
  }
  const bits = new Array(MEANS).fill(0);
  for (let i = 0; i + 1 < x.length; ++i) {
    const begin = Math.max(x[i], from);
    const end = Math.min(x[i + 1], to);
    for (let k = Math.floor((begin - from) / span); k < MEANS && from + k * span < end; ++k) {
      const covered = Math.min(end, from + (k + 1) * span) - Math.max(begin, from + k * span);
      bits[k] += pair.rate_bps[i] * Math.max(covered, 0);
    }
  }
  // a curve begins and ends where its flows do, so the first and the last mean may be of a part
  const [begin, end] = [Math.max(x[0], from), Math.min(x[x.length - 1], to)];
  const means = { x: [], y: [] };
  for (let k = Math.max(Math.floor((begin - from) / span), 0); k < MEANS && from + k * span < end; ++k) {
    const left = Math.max(from + k * span, begin);
    means.x.push(left);
    means.y.push(bits[k] / (Math.min(from + (k + 1) * span, end) - left));
  }
  means.x.push(end);
  means.y.push(end < to ? 0 : means.y[means.y.length - 1] || 0);
  return means;
}

function drawRates(host, width, rates, shaded) {
  const pairs = rates.pairs;
  const most = Math.max(...pairs.flatMap((p) => p.rate_bps), 1);
  const [size, unit] = unitFor(most, RATE_UNITS);
  const curves = pairs.filter((p) => p.time_ns.length > 0).map((pair, i) => ({
    label: pairName(pair), ...meanRates(rates, pair, ...(view.zoom || view.full)), colour: curveColour(i), dash: curveDash(i),
    width: pair === shaded ? 2.4 : 1.4, text: (at, values) => rateText(heldValue(values, at)) }));
  if (curves.length === 0) {
    return void host.append(makeMissing("The chosen pairs sent nothing."));
  }
  const drawn = drawCurves(host, width, {
    curves, steps: true, ...timeAxis(), yLabel: `payload delivered [${unit}]`, yFormat: (v) => digits(v / size),
    before: shaded ? shadeStretches(shaded) : null });
  drawn.setTime(...(view.zoom || view.full));
  return { ...drawn, setTime: () => shown.find((c) => c.host === host).render() };
}

function stretchRows(pairs) {
  return pairs.map((pair) => ({
    name: pairName(pair),
    bars: pair.stretches.map((s) => [s.begin_ns, s.end_ns, stateColour(s.state), null, s.state]),
  }));
}

function showRates(section, run) {
  if (!run.rates) {
    section.append(makeMissing(run.missing.rates));
    return;
  }
  const pairs = run.rates.pairs;
  const names = new Set(pairs.flatMap((p) => p.stretches.map((s) => s.state)));
  let shaded = pairs.find((p) => p.stretches.length > 0) || null;
  section.append(make("p", { class: "quiet" }, `Payload that arrived, between chosen pairs of hosts (source → destination), sampled every ${timeText(run.rates.period_ns)}; means of the samples where they are too close to be told apart. ` +
    "Choose others with --record-pairs. Drag to zoom, double-click to see all."));
  const plot = make("div", { class: "plot" });
  if (names.size > 0) {
    const options = [["", "none"], ...pairs.map((p, i) => [String(i), pairName(p)]).filter(([i]) => pairs[i].stretches.length > 0)];
    section.append(make("div", { class: "controls" }, makeChoice("Shaded: stretches of", options, String(pairs.indexOf(shaded)), (value) => {
      shaded = value === "" ? null : pairs[value];
      shown.find((c) => c.host === plot).render();
    })));
  }
  section.append(plot);
  addChart(plot, (host, width) => drawRates(host, width, run.rates, shaded));
  if (names.size > 0) {
    const rows = make("div", { class: "plot" });
    section.append(make("h3", {}, "What fast-forward did with the partition of each pair (blank: simulated, or nothing to do)"), rows);
    addChart(rows, (host, width) => {
      const drawn = drawGantt(host, width, stretchRows(pairs), 18);
      host.append(stateLegend(names));
      return drawn;
    });
  } else if (run.mode === "fast") {
    section.append(make("p", { class: "quiet" }, "Nothing of these pairs was skipped, replayed or followed."));
  }
}

function showQueues(section, run) {
  if (!run.queues) {
    section.append(makeMissing(run.missing.queues));
    return;
  }
  const ports = run.queues.ports;
  if (ports.length === 0) {
    section.append(makeMissing("No queue was ever longer than nothing."));
    return;
  }
  const [size, unit] = unitFor(Math.max(...ports.map((p) => p.peak_bytes)), BYTE_UNITS);
  section.append(make("p", { class: "quiet" }, "Egress queues with the highest peaks. A name is node:port → the node at the other end. While fast-forward skips or replays, a queue stays as it was."));
  const plot = make("div", { class: "plot" });
  section.append(plot);
  addChart(plot, (host, width) => drawCurves(host, width, {
    curves: ports.map((p, i) => ({ label: `${p.node}:${p.port} → ${p.peer}`, x: p.time_ns, y: p.bytes, colour: curveColour(i), dash: curveDash(i),
      width: 1.4, text: (at, values) => bytesText(heldValue(values, at)) })),
    steps: true, ...timeAxis(), yLabel: `queue [${unit}]`, yFormat: (v) => digits(v / size) }));
}

/** Curves of a stack, the uppermost first, each filled down to the axis: what is below covers it. */
function stacked(x, layers) {
  const sums = [];
  layers.forEach((layer, i) => sums.push(layer.y.map((v, k) => v + (i > 0 ? sums[i - 1][k] : 0))));
  return layers.map((layer, i) => ({
    label: layer.label, x, y: sums[i], colour: layer.colour, fill: layer.colour, width: 0,
    text: (at) => layer.text(layer.y[at]) })).reverse();
}

function showPartitions(section, run) {
  if (!run.partitions || run.partitions.time_ns.length === 0) {
    section.append(makeMissing(run.missing.partitions || "No partition was ever made."));
    return;
  }
  let count = "partitions";
  const plot = make("div", { class: "plot" });
  const states = Object.keys(STATES).map((name) => run.partitions.states.find((s) => s.state === name))
    .filter((s) => s && s.flows.some((v) => v > 0));
  section.append(make("p", { class: "quiet" }, "Partitions are flows that share links, with those links. Fast-forward decides for each what to do with it."));
  section.append(make("div", { class: "controls" }, makeChoice("Count:", [["partitions", "partitions"], ["flows", "flows in them"]], count, (value) => {
    count = value;
    shown.find((c) => c.host === plot).render();
  })));
  section.append(plot);
  // what holds at the end holds until the end of the run
  const end = view.full[1] > run.partitions.time_ns[run.partitions.time_ns.length - 1] ? [view.full[1]] : [];
  const x = [...run.partitions.time_ns, ...end];
  addChart(plot, (host, width) => drawCurves(host, width, {
    curves: stacked(x, states.map((s) => ({ label: STATES[s.state].text, y: [...s[count], ...end.map(() => s[count][s[count].length - 1])], colour: stateColour(s.state), text: countText }))),
    steps: true, ...timeAxis(), yLabel: count, yFormat: (v) => (Number.isInteger(v) ? shortCount(v) : "") }));
}

function showEvents(section, run) {
  const events = run.events;
  if (!events || events.time_ns.length === 0) {
    section.append(makeMissing(run.missing.events || "There were no events."));
    return;
  }
  section.append(make("p", { class: "quiet" }, "Crossings of links by frames up to each time, one on top of the other: the sum is what packet level would have simulated; of what was skipped it is an estimate."));
  const plot = make("div", { class: "plot" });
  section.append(plot);
  addChart(plot, (host, width) => {
    const layers = [["run", "simulated", "running"], ["skipped", "skipped", "skipping"], ["replayed", "replayed", "replaying"]]
      .filter(([name]) => name === "run" || events[name].some((v) => v > 0));
    return drawCurves(host, width, {
      curves: stacked(events.time_ns, layers.map(([name, label, state]) => ({ label, y: events[name], colour: stateColour(state), text: shortCount }))),
      ...timeAxis(), yLabel: "events so far", yFormat: shortCount });
  });
}
