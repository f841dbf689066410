// The network as a picture: the colour of a link says how much of its rate was used.

const TIER_GAP = 150;
const PICTURE_WIDTH = 1200;
const CROWDED = { host: 100, switch: 30, nvswitch: 30 }; // in a tier: more are drawn small
const SIDE = 90; // room for the names of tiers

/** What the tiers are called, from the hosts up. */
const TIER_NAMES = {
  1: ["hosts", "switches"],
  2: ["hosts", "leaves", "spines"],
  3: ["hosts", "edge", "aggregation", "core"],
};

function tierName(tier, top) {
  return tier < 0 ? "NVSwitches" : (TIER_NAMES[top] || TIER_NAMES[2])[tier] || `tier ${tier}`;
}

function nodeName(node) {
  const kind = { host: "host", switch: "switch", nvswitch: "NVSwitch" }[node.kind];
  return node.count > 1 ? `${node.count} ${kind}s (${node.first} to ${node.last})` : `${kind} ${node.first}`;
}

function placeOf(node, top) {
  return [SIDE + node.x * (PICTURE_WIDTH - SIDE - 10), 26 + (top - node.tier) * TIER_GAP];
}

/** Straight between tiers; a link inside a tier goes around those between its ends. */
function linkPath(a, b, top) {
  const [x1, y1] = placeOf(a, top);
  const [x2, y2] = placeOf(b, top);
  return y1 === y2 ? `M${x1} ${y1}Q${(x1 + x2) / 2} ${y1 - 60} ${x2} ${y2}` : `M${x1} ${y1}L${x2} ${y2}`;
}

function linkText(link, nodes, part) {
  const ends = [nodeName(nodes[link.a]), nodeName(nodes[link.b])];
  const way = (from, to, k) => `${ends[from]} → ${ends[to]}: ${percentText(link[part][k])}, ${bytesText(link.bytes[k])}`;
  return [`${link.links > 1 ? `${link.links} links of together ` : "link of "}${rateText(link.rate_bps)}${link.links > 1 ? "; shares are of the busiest" : ""}`, way(0, 1, 0), way(1, 0, 1)].join("\n");
}

function drawNode(node, top, crowded) {
  const [x, y] = placeOf(node, top);
  const text = nodeName(node);
  const hover = { onmousemove: (event) => tooltip.show(event, text), onmouseleave: tooltip.hide };
  if (node.kind === "host") {
    return makeSvg("circle", { class: "node host", cx: x, cy: y, r: crowded ? 2.5 : 4.5, ...hover });
  }
  const width = crowded ? 8 : 34;
  return makeSvg("rect", { class: "node", x: x - width / 2, y: y - 8, width, height: 16, rx: node.kind === "nvswitch" ? 8 : 3, ...hover });
}

/** Numbers under hosts and in switches, where there is room. */
function drawNumber(node, top, inTier) {
  const room = inTier > CROWDED[node.kind] && node.kind !== "host" ? 0 : (PICTURE_WIDTH - SIDE) / inTier;
  const text = node.count > 1 ? `${node.first}–${node.last}` : String(node.first);
  const host = node.kind === "host";
  if (room < text.length * (host ? 6 : 7.5) + 4) {
    return null;
  }
  const [x, y] = placeOf(node, top);
  return makeSvg("text", { x, y: y + (host ? 18 : 4), "text-anchor": "middle", "pointer-events": "none", class: host ? "small" : "inside" }, text);
}

function drawNetwork(picture, part) {
  const { nodes, links } = picture;
  const top = Math.max(...nodes.map((n) => n.tier));
  const bottom = Math.min(...nodes.map((n) => n.tier));
  const count = {};
  nodes.forEach((n) => { count[n.tier] = (count[n.tier] || 0) + 1; });
  const svg = makeSvg("svg", { class: "network", viewBox: `0 0 ${PICTURE_WIDTH} ${(top - bottom) * TIER_GAP + 56}`, role: "img", "aria-label": "The network, with the load of each link" });
  for (let tier = bottom; tier <= top; ++tier) {
    svg.append(makeSvg("text", { x: 0, y: 30 + (top - tier) * TIER_GAP }, tierName(tier, top)));
  }
  const busyOf = (l) => Math.max(...l[part]);
  for (const link of [...links].sort((a, b) => busyOf(a) - busyOf(b))) { // the busiest on top
    const d = linkPath(nodes[link.a], nodes[link.b], top);
    const share = busyOf(link);
    const unused = busyOf(link) === 0;
    svg.append(makeSvg("path", { class: "link", d, stroke: unused ? styleColour("--line") : rampColour(share), "stroke-width": unused ? 0.8 : 1 + 3 * share, "stroke-dasharray": unused ? "3 4" : null }));
    svg.append(makeSvg("path", { class: "hit", d, onmousemove: (event) => tooltip.show(event, linkText(link, nodes, part)), onmouseleave: tooltip.hide }));
  }
  for (const node of nodes) {
    svg.append(drawNode(node, top, count[node.tier] > CROWDED[node.kind]));
    const number = drawNumber(node, top, count[node.tier]);
    svg.append(...(number ? [number] : []));
  }
  return svg;
}

/** The scale is the same for all networks: 5 % looks the same wherever it is. */
function utilisationLegend(busiest) {
  const steps = [0, 0.25, 0.5, 0.75, 1].map((s) => rampColour(s)).join(",");
  return make("ul", { class: "legend" }, make("li", {}, percentText(0), make("span", { class: "gradient", style: `background:linear-gradient(90deg,${steps})` }), percentText(1)),
    make("li", {}, `colour and width: utilisation by payload, of the busier direction; at most ${percentText(busiest)} here`), make("li", {}, "dashed: no flow"), make("li", {}, "● host, ▭ switch"));
}

function showLinks(section, run) {
  if (!run.links) {
    section.append(makeMissing(run.missing.links));
    return;
  }
  const { picture, busiest } = run.links;
  let part = "utilisation";
  const notes = [`${countText(run.links.used)} of ${countText(run.links.directed_links)} links (each direction is one) carried completed flows.`];
  if (picture.hosts_joined) {
    notes.push("The network is large: hosts at the same switches are drawn as one.");
  }
  if (picture.left_out > 0) {
    notes.push(`Only the ${countText(picture.links.length)} busiest lines are drawn; ${countText(picture.left_out)} more are left out.`);
  }
  section.append(make("p", { class: "quiet" }, notes.join(" ")));
  const network = make("div", { class: "plot" });
  section.append(make("div", { class: "controls" }, makeChoice("Utilisation over", [["utilisation", "the time of all flows"], ["busy_utilisation", "the time of the link's own flows"]], part, (value) => {
    part = value;
    shown.find((c) => c.host === network).render();
  })));
  section.append(network);
  addChart(network, (host) => {
    host.append(make("div", { class: "wide" }, drawNetwork(picture, part)),
      utilisationLegend(Math.max(...picture.links.flatMap((l) => l[part]), 0)));
  });
  section.append(folded(`The busiest ${Math.min(busiest.length, 20)} links`, makeTable([
    { head: "link", number: true, value: (l) => String(l.link) },
    { head: "from", number: true, value: (l) => String(l.from) },
    { head: "to", number: true, value: (l) => String(l.to) },
    { head: "rate", number: true, value: (l) => rateText(l.rate_bps) },
    { head: "payload", number: true, value: (l) => bytesText(l.bytes) },
    { head: "utilisation, all flows' time", number: true, value: (l) => percentText(l.utilisation) },
    { head: "own flows' time", number: true, value: (l) => percentText(l.busy_utilisation) },
  ], busiest.slice(0, 20))));
}
