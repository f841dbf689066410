// Several runs beside each other: how much faster, and how far off.

/** A number with a bar, so that rows can be compared at a glance. */
function meter(text, share, kind) {
  const width = Math.round(Math.min(Math.max(share, 0), 1) * 70);
  return make("span", {}, width > 0 ? make("span", { class: `meter ${kind}`, style: `width:${width}px` }) : null, text);
}

/** Shares of a bar on a logarithmic scale from `least` to `most`. */
function logShare(value, least, most) {
  if (!(value > 0) || !(most > least)) {
    return 0;
  }
  return Math.max(Math.log(value / least) / Math.log(most / least), 0.03);
}

/** The statistics of all flows of a run, under "fct_ns" and "slowdown"; null if none completed. */
function allFlows(run) {
  const all = run.flows && run.flows.kinds[0];
  return all && all.kind === "all" ? all : null;
}

/** Speed beside error. */
function speedTable(comparison) {
  const seeds = comparison.seeds.map((seed) => ({ run: `${comparison.reference}, seed ${seed.seed}`, errors: seed.errors }));
  const rows = [...comparison.rows, ...seeds];
  const fastest = Math.max(...rows.map((r) => r.speedup || 0), 2);
  const worst = Math.max(...rows.map((r) => (r.errors ? r.errors.fct.mean : 0)));
  const errorOf = (row, get) => (row.errors ? percentText(get(row.errors)) : "–");
  return makeTable([
    { head: "run", value: (r) => make("b", {}, r.run) },
    { head: "wall time", number: true, title: `of ${comparison.wall_is}`, value: (r) => secondsText(r.wall_s) },
    { head: "speedup", number: true, title: `against ${comparison.reference}; bars are logarithmic`, value: (r) => meter(timesText(r.speedup), r.speedup > 1 ? logShare(r.speedup, 1, fastest) : 0, "") },
    { head: "FCT error, mean", number: true, title: "over the flows that both completed", value: (r) => meter(errorOf(r, (e) => e.fct.mean), r.errors && worst > 0 ? r.errors.fct.mean / worst : 0, "error") },
    { head: "p99", number: true, value: (r) => errorOf(r, (e) => e.fct.p99) },
    { head: "largest", number: true, value: (r) => errorOf(r, (e) => e.fct.max) },
    { head: "makespan error", number: true, title: "of the time until all was done", value: (r) => errorOf(r, (e) => e.makespan) },
    { head: "events simulated", number: true, title: "crossings of links by frames; at flow level, its events", value: (r) => (r.events ? shortCount(r.events.run) : "–") },
    { head: "left out", number: true, title: "share of the events that was skipped or replayed", value: (r) => (r.mode === "fast" ? largeShareText(r.share_left_out) : "–") },
    { head: "memory", number: true, value: (r) => (r.peak_memory_kib ? bytesText(r.peak_memory_kib * 1024) : "–") },
  ], rows, { class: "full" });
}

/** What each run found, errors or not. */
function resultsTable(comparison, runs) {
  const rows = runs.map((run, i) => ({ run, all: allFlows(run), makespan: comparison.rows[i].makespan_ns }));
  const worst = (what) => Math.max(...rows.map((r) => (r.all && r.all[what] ? r.all[what].mean : 0)));
  const column = (head, what, part, text) => ({ head, number: true, value: (r) => {
    const found = r.all && r.all[what];
    return !found ? "–" : part === "mean" ? meter(text(found.mean), found.mean / worst(what), "") : text(found[part]);
  } });
  return makeTable([
    { head: "run", value: (r) => make("b", {}, r.run.name) },
    { head: "mode", name: true, value: (r) => MODES[r.run.mode] || r.run.mode || "" },
    { head: "congestion control", name: true, value: (r) => controlOf(r.run) || "–" },
    column("FCT mean", "fct_ns", "mean", timeText),
    column("p99", "fct_ns", "p99", timeText),
    column("largest", "fct_ns", "max", timeText),
    column("slowdown mean", "slowdown", "mean", digits),
    column("p99", "slowdown", "p99", digits),
    column("largest", "slowdown", "max", digits),
    { head: "makespan", number: true, title: "until all was done: of workloads, from 0 until the last rank has finished; of flows, from the first start to the last end", value: (r) => timeText(r.makespan) },
  ], rows, { class: "full" });
}

/** What a nanosecond makes of packet level, and whether fast-forward is further off. */
function showDisturbed(section, disturbed) {
  const { fast, packet } = disturbed.flow_error;
  if (fast === null) {
    return;
  }
  section.append(make("h3", {}, "Disturbed"),
    make("p", { class: disturbed.within_own_chaos ? "quiet" : "warning" },
      `Undisturbed, and ${disturbed.pairs - 1} times with a start or rank, and a link, 1 ns later: single flows of fast-forward are ${percentText(fast)} off packet level, those of packet levels ${percentText(packet)} off each other. `,
      disturbed.within_own_chaos ? "All is within packet level's own chaos." : `Not within packet level's own chaos: ${disturbed.beyond.join(", ")}.`),
    makeTable([
      { head: "statistic", value: (r) => make("b", {}, r.statistic) },
      { head: "of", name: true, value: (r) => r.of },
      { head: "packet level", number: true, value: (r) => timeText(r.packet_ns) },
      { head: "fast-forward", number: true, value: (r) => timeText(r.fast_ns) },
      { head: "bias", number: true, value: (r) => percentText(r.bias) },
      { head: "95 % interval", number: true, value: (r) => (r.interval ? `${percentText(r.interval.low)} to ${percentText(r.interval.high)}` : "–") },
      { head: "within", value: (r) => (r.within ? "yes" : "no") },
    ], disturbed.statistics, { class: "full" }));
}

const MOST_NAMED = 3; // of the settings that make another scenario

/** Says that what lies between two scenarios is no error. */
function otherScenario(comparison, runs, i) {
  const { run, scenario_differences: settings } = comparison.rows[i];
  const names = settings.slice(0, MOST_NAMED).map((name) =>
    (name === "congestion_control" ? `congestion control ${controlOf(runs[i])} instead of ${controlOf(runs[0])}` : name));
  const more = settings.length - names.length;
  return make("p", { class: "quiet" }, make("b", {}, run),
    ` is another scenario than ${comparison.reference} (${names.join(", ")}${more > 0 ? `, and ${more} more` : ""}): what lies between their results is no error. Compare the results.`);
}

/** What became of frames in each run; null if nothing did in any. */
function networkTable(runs) {
  const rows = runs.filter((run) => run.summary.counters);
  if (!rows.some((run) => networkFigures(run.summary).some(([number]) => number > 0))) {
    return null;
  }
  const columns = networkFigures(rows[0].summary).map(([, name, title], i) => ({
    head: name, number: true, title: i > 0 ? title : "", value: (run) => countText(networkFigures(run.summary)[i][0]) }));
  return makeTable([{ head: "run", value: (run) => make("b", {}, run.name) }, ...columns], rows);
}

function showComparison(section, comparison, runs) {
  const others = comparison.rows.flatMap((row, i) => (row.scenario_differences.length > 0 ? [i] : []));
  section.append(make("p", { class: "quiet" }, "Reference: ", make("b", {}, comparison.reference),
    `. An error is |value − reference| / reference, flow by flow. Wall time: ${comparison.wall_is}.`));
  section.append(...others.map((i) => otherScenario(comparison, runs, i)));
  section.append(...comparison.rows.filter((r) => r.other_flows).map((r) => make("p", { class: "quiet" }, make("b", {}, r.run),
    ` has no flow in common with ${comparison.reference} (by source, destination, port and bytes), as runs with drawn arrivals of other seeds: compare distributions, not flows.`)));
  section.append(make("h3", {}, "Speed and error"), speedTable(comparison), make("h3", {}, "Results"), resultsTable(comparison, runs));
  if (comparison.disturbed) {
    showDisturbed(section, comparison.disturbed);
  }
  const network = networkTable(runs);
  if (network) {
    section.append(make("h3", {}, "In the network"), network);
  }
  section.append(...comparison.rows.filter((r) => r.unmatched_flows > 0).map((r) => make("p", { class: "warning" },
    `${countText(r.unmatched_flows)} flows were completed either by ${r.run} or by ${comparison.reference} only; they are not in the errors.`)));
  if (comparison.differences.length > 0) {
    section.append(folded("In what the configurations differ", makeTable([
      { head: "setting", value: (d) => d.name },
      ...runs.map((run, i) => ({ head: run.name, value: (d) => make("code", {}, d.values[i] === null ? "–" : typeof d.values[i] === "object" ? JSON.stringify(d.values[i]) : String(d.values[i])) })),
    ], comparison.differences)));
  }
}
