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

function comparisonRows(comparison) {
  const seeds = comparison.seeds.map((seed) => ({
    run: `${comparison.reference}, seed ${seed.seed}`, seed: true, errors: seed.errors }));
  return [...comparison.rows, ...seeds];
}

function comparisonColumns(comparison, rows) {
  const speeds = rows.map((r) => r.speedup || 0);
  const fastest = Math.max(...speeds, 2);
  const worst = Math.max(...rows.map((r) => (r.errors ? r.errors.fct.mean : 0)));
  const errorOf = (row, get) => (row.errors ? percentText(get(row.errors)) : "–");
  return [
    { head: "run", name: true, value: (r) => make("b", {}, r.run) },
    { head: "mode", name: true, value: (r) => MODES[r.mode] || r.mode || "" },
    { head: "wall time", number: true, title: `of ${comparison.wall_is}`, value: (r) => secondsText(r.wall_s) },
    { head: "speedup", number: true, title: `against ${comparison.reference}; bars are logarithmic`, value: (r) => meter(timesText(r.speedup), r.speedup > 1 ? logShare(r.speedup, 1, fastest) : 0, "") },
    { head: "FCT error, mean", number: true, title: "over the flows that both completed", value: (r) => meter(errorOf(r, (e) => e.fct.mean), r.errors && worst > 0 ? r.errors.fct.mean / worst : 0, "error") },
    { head: "p99", number: true, value: (r) => errorOf(r, (e) => e.fct.p99) },
    { head: "largest", number: true, value: (r) => errorOf(r, (e) => e.fct.max) },
    { head: "job error", number: true, title: "of the job completion time", value: (r) => errorOf(r, (e) => e.job_completion) },
    { head: "job completion", number: true, value: (r) => (r.job_completion_ns ? timeText(r.job_completion_ns) : "–") },
    { head: "events simulated", number: true, title: "crossings of links by frames; at flow level, its events", value: (r) => (r.events ? shortCount(r.events.run) : "–") },
    { head: "left out", number: true, title: "share of the events that was skipped or replayed", value: (r) => (r.mode === "fast" ? largeShareText(r.share_left_out) : "–") },
    { head: "memory", number: true, value: (r) => (r.peak_memory_kib ? bytesText(r.peak_memory_kib * 1024) : "–") },
  ];
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
  const rows = comparisonRows(comparison);
  section.append(make("p", { class: "quiet" }, "Reference: ", make("b", {}, comparison.reference),
    `. An error is |value − reference| / reference, flow by flow. Wall time: ${comparison.wall_is}.`));
  if (comparison.differences.some((d) => d.name === "congestion_control")) {
    section.append(make("p", { class: "quiet" }, "The runs have different congestion controls: what is called an error is the difference that those make."));
  }
  section.append(makeTable(comparisonColumns(comparison, rows), rows, { class: "full" }));
  const network = networkTable(runs);
  if (network) {
    section.append(make("h3", {}, "In the network"), network);
  }
  const unmatched = comparison.rows.filter((r) => r.errors && r.errors.fct.unmatched > 0);
  section.append(...unmatched.map((r) => make("p", { class: "warning" },
    `${countText(r.errors.fct.unmatched)} flows were completed either by ${r.run} or by ${comparison.reference} only; they are not in the errors.`)));
  if (comparison.differences.length > 0) {
    section.append(folded("In what the configurations differ", makeTable([
      { head: "setting", value: (d) => d.name },
      ...runs.map((run, i) => ({ head: run.name, value: (d) => make("code", {}, d.values[i] === null ? "–" : typeof d.values[i] === "object" ? JSON.stringify(d.values[i]) : String(d.values[i])) })),
    ], comparison.differences)));
  }
}
