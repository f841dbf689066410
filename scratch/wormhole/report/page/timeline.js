// When each rank computed, and when it communicated.

/** What is in both of two lists of intervals, each in order and without overlaps. */
function overlaps(a, b) {
  const both = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const begin = Math.max(a[i][0], b[j][0]);
    const end = Math.min(a[i][1], b[j][1]);
    if (begin < end) {
      both.push([begin, end]);
    }
    if (a[i][1] < b[j][1]) {
      ++i;
    } else {
      ++j;
    }
  }
  return both;
}

/** Rows as high as they are; where both happens at once, half of it each. */
function timelineRows(timeline) {
  const jobs = new Set(timeline.ranks.map((r) => r.job));
  const bars = (intervals, kind, lane, text) => intervals.map(([begin, end]) => [begin, end, colourOf(KINDS[kind]), lane, text]);
  return timeline.ranks.map((rank) => ({
    name: jobs.size > 1 ? `${rank.job} ${rank.rank}` : `rank ${rank.rank}`,
    bars: [...bars(rank.communication, "communication", null, "communication"),
      ...bars(rank.computation, "computation", null, "computation"),
      ...bars(overlaps(rank.communication, rank.computation), "communication", 1, null)],
  }));
}

function showTimeline(section, run) {
  const timeline = run.timeline;
  if (!timeline || timeline.ranks.length === 0) {
    section.append(makeMissing(run.missing.timeline || "No rank did anything."));
    return;
  }
  const notes = ["A row for each rank. Half and half: it computed, and at the same time sent or received."];
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
