// Completion times and slowdowns: distributions, and a table by kind of flow.

const KIND_NAMES = { all: "all flows" };

function kindName(kind) {
  return KIND_NAMES[kind] || kind;
}

function distributionCurves(entries, part, values, text) {
  return entries.filter(({ kind }) => kind[part]).map(({ label, kind }, i) => {
    const points = kind[part];
    // equal x are no function: the least value is met just before it
    const x = [points[values][0] * (1 - 1e-9), ...points[values]];
    const y = [0, ...points.share];
    return { label, x, y, colour: curveColour(i), dash: curveDash(i), width: 2, text: (at, data) => percentText(heldValue(data, at)) };
  });
}

function drawDistribution(host, width, curves, options) {
  if (curves.length === 0) {
    host.append(makeMissing(options.missing));
    return null;
  }
  const all = curves.flatMap((c) => [c.x[0], c.x[c.x.length - 1]]);
  const least = Math.min(...all);
  const most = Math.max(...all);
  return drawCurves(host, width, {
    curves, steps: true, logX: least > 0 && most / least > 15, height: 290,
    xLabel: options.xLabel(most), xName: options.name, xFormat: options.format(most), xText: options.text, xSize: options.size(most),
    yLabel: "share of the flows", yFormat: (v) => percentText(v), yRange: () => [0, 1.03],
  });
}

const FCT_AXIS = {
  name: "at most",
  xLabel: (most) => `flow completion time [${unitFor(most, TIME_UNITS)[1]}]`,
  format: (most) => (ns) => digits(ns / unitFor(most, TIME_UNITS)[0]),
  size: (most) => unitFor(most, TIME_UNITS)[0],
  text: (ns) => timeText(ns),
  missing: "No flow was completed.",
};

const SLOWDOWN_AXIS = {
  name: "at most",
  xLabel: () => "slowdown: completion time / time alone",
  format: () => (v) => digits(v),
  size: () => 1,
  text: (v) => digits(v),
  missing: "Not known: these runs did not say how long a flow would take alone; --record gives it.",
};

/** All flows, and their kinds if there are several. */
function kindsToShow(run) {
  return run.flows.kinds.length > 2 ? run.flows.kinds : run.flows.kinds.slice(0, 1);
}

function kindsTable(run) {
  return makeTable([
    { head: "kind of flow", value: (k) => kindName(k.kind) },
    { head: "flows", number: true, value: (k) => countText(k.flows) },
    { head: "payload", number: true, value: (k) => bytesText(k.bytes) },
    { head: "FCT mean", number: true, value: (k) => timeText(k.fct_ns.mean) },
    { head: "median", number: true, value: (k) => timeText(k.fct_ns.p50) },
    { head: "p99", number: true, value: (k) => timeText(k.fct_ns.p99) },
    { head: "largest", number: true, value: (k) => timeText(k.fct_ns.max) },
    { head: "slowdown mean", number: true, value: (k) => (k.slowdown ? digits(k.slowdown.mean) : "–") },
    { head: "p99", number: true, value: (k) => (k.slowdown ? digits(k.slowdown.p99) : "–") },
    { head: "largest", number: true, value: (k) => (k.slowdown ? digits(k.slowdown.max) : "–") },
  ], kindsToShow(run), { class: "full" });
}

function showFlows(section, run, data) {
  const withFlows = data.runs.filter((r) => r.flows);
  if (!run.flows) {
    section.append(makeMissing(run.missing.flows));
    return;
  }
  const kinds = kindsToShow(run).map((kind) => ({ label: kindName(kind.kind), kind }));
  const byRun = withFlows.map((r) => ({ label: r.name, kind: r.flows.kinds[0] }));
  let entries = withFlows.length > 1 ? byRun : kinds;
  const fct = make("div", { class: "plot" });
  const slowdown = make("div", { class: "plot" });
  const draw = () => shown.filter((c) => c.host === fct || c.host === slowdown).forEach((c) => c.render());
  section.append(make("p", { class: "quiet" }, "Share of the flows that were completed within a time, and within a multiple of the time that they would have taken alone."));
  if (withFlows.length > 1 && kinds.length > 1) {
    section.append(make("div", { class: "controls" }, makeChoice("Curves:", [["run", "all flows, by run"], ["kind", `by kind of flow, of ${run.name}`]], "run", (value) => {
      entries = value === "run" ? byRun : kinds;
      draw();
    })));
  }
  section.append(make("div", { class: "pair" }, fct, slowdown));
  addChart(fct, (host, width) => drawDistribution(host, width, distributionCurves(entries, "fct_distribution", "fct_ns"), FCT_AXIS));
  addChart(slowdown, (host, width) => drawDistribution(host, width, distributionCurves(entries, "slowdown_distribution", "slowdown"), SLOWDOWN_AXIS));
  section.append(make("h3", {}, data.runs.length > 1 ? `By kind of flow: ${run.name}` : "By kind of flow"), kindsTable(run));
  if (!run.flows.by_kind) {
    section.append(make("p", { class: "quiet" }, "Kinds of flows were not recorded: run with --record."));
  } else if (run.flows.sampled_every > 1) {
    section.append(make("p", { class: "quiet" }, `Kinds are of every ${countText(run.flows.sampled_every)}th flow; "all flows" is of all.`));
  }
}
