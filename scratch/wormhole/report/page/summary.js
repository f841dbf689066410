// What ran, and what came out.

const MODES = {
  packet: "packet level",
  fast: "fast-forward",
  flow: "flow level",
  message: "message level",
};

const CONTROLS = {
  "ns3::RdmaHpcc": "HPCC",
  "ns3::RdmaDcqcn": "DCQCN",
  "ns3::RdmaTimely": "TIMELY",
  "ns3::RdmaDctcp": "DCTCP",
  "ns3::RdmaSwift": "Swift",
  "ns3::RdmaPowerTcp": "PowerTCP",
  "ns3::RdmaNscc": "NSCC",
  "ns3::RdmaHpccPint": "HPCC-PINT",
};

/** The name of a run's congestion control; null without packets. */
function controlOf(run) {
  const type = run.summary.configuration.congestion_control;
  return CONTROLS[type] || type || null;
}

/** What became of frames on the way: [number, name, explanation]; none for runs without packets. */
function networkFigures(summary) {
  const c = summary.counters;
  if (!c) {
    return [];
  }
  const lost = c.buffer_drops + c.link_errors + c.link_down_drops + c.route_drops;
  return [
    [lost, "frames lost", `buffers full ${countText(c.buffer_drops)}, link errors ${countText(c.link_errors)}, links down ${countText(c.link_down_drops)}, no route ${countText(c.route_drops)}`],
    [c.pauses, "PFC pauses", "pause frames that were received"],
    [c.marks, "ECN marks", "frames that switches marked"],
    [c.timeouts, "time-outs", "of retransmission"],
  ];
}

/** The figures that people look for first: [value, name, explanation]. */
function keyFigures(run) {
  const s = run.summary;
  const all = run.flows ? run.flows.kinds[0] : null;
  const figures = [[timeText((s.simulated_s || 0) * 1e9), "simulated time", "when the simulation ended"]];
  if (s.operations) {
    figures.push([`${countText(s.operations.completed)} / ${countText(s.operations.count)}`, "operations completed"]);
  }
  if (s.results && s.results.finish_ns) {
    figures.push([timeText(s.results.finish_ns), "job completion time", "when the last rank had finished"]);
  }
  if (s.flows && s.flows.count !== undefined) {
    figures.push([`${countText(s.flows.completed)} / ${countText(s.flows.count)}`, "flows completed"]);
  } else if (all) {
    figures.push([countText(all.flows), "flows completed", "messages that crossed the network"]);
  }
  if (all) {
    figures.push([timeText(all.fct_ns.mean, 3), "mean completion time", "FCT of all flows"]);
    figures.push([timeText(all.fct_ns.p99, 3), "99th percentile", "the least FCT that 99 % of the flows do not exceed"]);
    if (all.slowdown) {
      figures.push([digits(all.slowdown.mean), "mean slowdown", "completion time over the time that the flow would take alone"]);
    }
  }
  const events = s.fast && s.fast.events;
  if (events) {
    const left = events.skipped + events.replayed;
    figures.push([largeShareText(left / Math.max(left + events.run, 1)), "events left out", "crossings of links by frames that were skipped or replayed instead of simulated"]);
  }
  if (s.cost) {
    figures.push([secondsText(s.cost.setup_s + s.cost.run_s), "wall-clock time", "set-up and simulation, on the machine that ran it"]);
    figures.push([bytesText(s.cost.peak_memory_kib * 1024), "peak memory"]);
  }
  figures.push(...networkFigures(s).slice(0, 3).map(([number, name, title]) => [countText(number), name, title]));
  return figures;
}

function subtitleOf(run) {
  const s = run.summary;
  const n = s.network;
  return [
    MODES[run.mode] || run.mode,
    controlOf(run),
    n && `${countText(n.hosts)} hosts, ${countText(n.switches)} switches${n.nvswitches ? `, ${countText(n.nvswitches)} NVSwitches` : ""}, ${countText(n.links)} links`,
    s.program && `Wormhole ${s.program.version}${s.program.commit ? ` (${s.program.commit})` : ""}`,
    s.program && s.program.ns3 && `ns-3 ${s.program.ns3}`,
  ].filter(Boolean).join(" · ");
}

/** Settings as [name, value], nested names joined. */
function flatten(value, path, rows) {
  if (value !== null && typeof value === "object" && !Array.isArray(value)) {
    Object.entries(value).forEach(([key, inner]) => flatten(inner, path ? `${path} ${key}` : key, rows));
  } else if (value !== null && !(Array.isArray(value) && value.length === 0)) {
    rows.push([path, typeof value === "object" ? JSON.stringify(value) : String(value)]);
  }
  return rows;
}

function settingsTable(value) {
  const rows = flatten(value, "", []).map(([name, text]) => make("tr", {}, make("td", {}, name), make("td", {}, make("code", {}, text))));
  return make("div", { class: "settings" }, make("table", {}, make("tbody", {}, ...rows)));
}

function folded(title, ...content) {
  return make("details", {}, make("summary", {}, title), ...content);
}

/** A word as a shell would want it. */
function shellWord(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`;
}

function problemsOf(run) {
  const s = run.summary;
  const problems = (s.warnings || []).map(String);
  if (s.interrupted) {
    problems.unshift("The run was interrupted: what follows is what it had found by then.");
  }
  if (s.flows && s.flows.completed < s.flows.count) {
    problems.push(`${countText(s.flows.count - s.flows.completed)} flows did not complete. The first: ` +
      (s.flows.not_completed || []).slice(0, 3).map((f) => `${f.src} to ${f.dst}, ${bytesText(f.bytes)} (${f.reason || f.state})`).join("; "));
  }
  if (s.operations && s.operations.completed < s.operations.count) {
    problems.push(`${countText(s.operations.count - s.operations.completed)} operations did not complete.`);
  }
  if (s.program && s.program.build_type && s.program.build_type === "Debug") {
    problems.push("This was a debug build: its wall-clock times say nothing about speed.");
  }
  return problems;
}

function jobTables(run) {
  const jobs = (run.summary.results && run.summary.results.jobs) || [];
  return jobs.flatMap((job) => {
    const rows = [
      ["computation", job.computation_ns],
      ["communication", job.communication_ns],
      ["communication that no computation hides", job.exposed_communication_ns],
      ["idle", job.idle_ns],
    ].filter(([, t]) => t);
    return [
      make("h3", {}, `Where the time of the ${countText(job.ranks)} ranks of ${job.job} went`),
      makeTable([
        { head: "", value: ([name]) => name },
        { head: "mean of the ranks", number: true, value: ([, t]) => timeText(t.mean) },
        { head: "largest", number: true, value: ([, t]) => timeText(t.max) },
        { head: "share of the job (mean)", number: true, value: ([, t]) => (job.finish_ns.max ? percentText(t.mean / job.finish_ns.max) : "–") },
      ], rows),
    ];
  });
}

function showSummary(section, run) {
  const s = run.summary;
  section.append(make("p", { class: "quiet" }, subtitleOf(run)));
  section.append(make("div", { class: "tiles" }, ...keyFigures(run).map(([value, name, title]) =>
    make("div", { class: "tile", title }, make("b", {}, value), make("span", {}, name)))));
  section.append(...problemsOf(run).map((text) => make("p", { class: "warning" }, text)));
  section.append(...jobTables(run));
  const words = (s.command || []).map(shellWord).join(" ");
  section.append(make("pre", { class: "command" }, `wormhole run ${words}`));
  section.append(folded("Configuration in effect", settingsTable(s.configuration)));
  section.append(folded("Program, inputs and outputs", settingsTable({
    program: s.program, folder: run.folder, inputs: Object.fromEntries((s.inputs || []).map((i) => [i.named_by, `${i.path} (${bytesText(i.bytes)}, FNV-1a ${i.fnv1a_64})`])),
    outputs: Object.fromEntries((s.outputs || []).map((o) => [o.named_by, o.path])), cost: s.cost })));
}
