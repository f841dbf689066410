// When each rank computed, and when it communicated.

function timelineRows(timeline) {
  const jobs = new Set(timeline.ranks.map((r) => r.job));
  return timeline.ranks.map((rank) => ({
    name: jobs.size > 1 ? `${rank.job} ${rank.rank}` : `rank ${rank.rank}`,
    bars: ["computation", "communication"].flatMap((kind, lane) =>
      rank[kind].map(([begin, end]) => [begin, end, colourOf(KINDS[kind]), lane, kind])),
  }));
}

function showTimeline(section, run) {
  const timeline = run.timeline;
  if (!timeline || timeline.ranks.length === 0) {
    section.append(makeMissing(run.missing.timeline || "No rank did anything."));
    return;
  }
  const notes = ["A row for each rank: above, when it computed; below, when it sent or received."];
  if (timeline.all_ranks > timeline.ranks.length) {
    notes.push(`${countText(timeline.ranks.length)} of ${countText(timeline.all_ranks)} ranks are shown, evenly chosen.`);
  }
  if (timeline.closed_gaps_ns > 0) {
    notes.push(`Gaps shorter than ${timeText(timeline.closed_gaps_ns)} are not shown.`);
  }
  section.append(make("p", { class: "quiet" }, notes.join(" ")));
  const plot = make("div", { class: "plot" });
  section.append(plot);
  addChart(plot, (host, width) => {
    const count = timeline.ranks.length;
    const drawn = drawGantt(host, width, timelineRows(timeline), count <= 16 ? 24 : count <= 40 ? 16 : 10);
    host.append(makeLegend(Object.values(KINDS).map((k) => [colourOf(k), k.text])));
    return drawn;
  });
}
