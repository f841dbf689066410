// Puts the page together.

const SECTIONS = [
  ["summary", "Summary", showSummary],
  ["comparison", "Comparison", null],
  ["overlay", "Side by side", showOverlay],
  ["flows", "Completion times", showFlows],
  ["rates", "Rates", showRates],
  ["queues", "Queues", showQueues],
  ["partitions", "Partitions", showPartitions],
  ["events", "Events", showEvents],
  ["links", "Links", showLinks],
  ["timeline", "Timeline of ranks", showTimeline],
];

/** What goes wrong is said on the page: there may be no other place where somebody sees it. */
function showError(text) {
  const box = document.getElementById("errors");
  box.hidden = false;
  box.append(`This page failed: ${text}\n`);
}

window.addEventListener("error", (event) => showError(event.message));
window.addEventListener("unhandledrejection", (event) => showError(String(event.reason)));

/** The last time that any chart of a run shows, ns. */
function endOf(run) {
  const last = (list) => (list && list.length > 0 ? list[list.length - 1] : 0);
  const simulated = (run.summary.simulated_s || 0) * 1e9;
  const finish = (run.summary.results && run.summary.results.finish_ns) || 0;
  const ends = [finish, last(run.events && run.events.time_ns), last(run.partitions && run.partitions.time_ns),
    ...(run.rates ? run.rates.pairs.map((p) => last(p.time_ns)) : []),
    ...(run.queues ? run.queues.ports.map((p) => last(p.time_ns)) : [])];
  return Math.max(...ends) || simulated || 1;
}

/** A page of sweeps alone has no run to show. */
function hasSection(id, data) {
  return id === "overlay" ? data.overlay !== null : id === "comparison" ? data.comparison !== null : data.runs.length > 0;
}

function showRun(data, run) {
  const sections = document.getElementById("sections");
  for (const chart of shown.splice(0)) {
    if (chart.drawn && chart.drawn.destroy) {
      chart.drawn.destroy();
    }
  }
  sections.replaceChildren();
  view.full = [0, run ? endOf(run) : 1];
  setTimeView(null);
  for (const [id, title, show] of SECTIONS) {
    if (!hasSection(id, data)) {
      continue;
    }
    const ofRun = !["comparison", "overlay", "flows"].includes(id) && data.runs.length > 1;
    const section = make("section", { id, class: "chart" }, make("h2", {}, title, ofRun ? make("span", { class: "quiet" }, ` · ${run.name}`) : null));
    sections.append(section);
    if (id === "comparison") {
      showComparison(section, data.comparison, data.runs);
    } else {
      show(section, run, data);
    }
  }
}

/** The run that has most to show. */
function firstToShow(runs) {
  if (runs.length === 0) {
    return null;
  }
  const charts = (run) => ["rates", "queues", "partitions", "events", "timeline"].filter((c) => run[c]).length;
  return runs.reduce((best, run) => (charts(run) > charts(best) ? run : best), runs[0]);
}

function makeHead(data, choose) {
  document.getElementById("title").textContent = data.title;
  const names = data.runs.map((r) => r.name).join(", ");
  const what = data.runs.length === 0 ? "a sweep" : `${data.runs.length === 1 ? "one run" : `${data.runs.length} runs`}: ${names}`;
  document.getElementById("subtitle").textContent = `Report by Wormhole ${data.program.version} of ${what}`;
  const select = document.getElementById("run");
  data.runs.forEach((run, i) => select.append(make("option", { value: i }, run.name)));
  select.addEventListener("change", () => choose(data.runs[select.value]));
  document.getElementById("run-choice").hidden = data.runs.length < 2;
  document.getElementById("contents").append(...SECTIONS.filter(([id]) => hasSection(id, data))
    .map(([id, title]) => make("a", { href: `#${id}` }, title)));
  const notes = data.notes.map((note) => make("p", { class: "warning" }, note));
  document.getElementById("subtitle").after(...notes);
}

function renderAll() {
  applyTheme();
  shown.forEach((chart) => chart.render());
  if (view.zoom) {
    setTimeView(view.zoom);
  }
}

function followChanges() {
  let width = window.innerWidth;
  window.addEventListener("resize", () => {
    if (window.innerWidth !== width && !theme.printing) {
      width = window.innerWidth;
      renderAll();
    }
  });
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", renderAll);
  document.getElementById("theme").addEventListener("click", () => {
    theme.chosen = THEMES[(THEMES.indexOf(theme.chosen) + 1) % THEMES.length];
    renderAll();
  });
  document.getElementById("show-all").addEventListener("click", () => setTimeView(null));
  for (const [event, printing] of [["beforeprint", true], ["afterprint", false]]) {
    window.addEventListener(event, () => {
      theme.printing = printing;
      renderAll();
    });
  }
}

document.addEventListener("DOMContentLoaded", () => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const wanted = new URLSearchParams(location.hash.slice(1)).get("theme");
  theme.chosen = THEMES.includes(wanted) ? wanted : "auto";
  applyTheme();
  const run = firstToShow(data.runs);
  makeHead(data, (chosen) => showRun(data, chosen));
  document.getElementById("run").value = run ? data.runs.indexOf(run) : "";
  showRun(data, run);
  followChanges();
  document.documentElement.dataset.ready = "yes";
});
