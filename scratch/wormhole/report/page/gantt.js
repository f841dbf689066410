// Rows of intervals over simulated time, on a canvas: many ranks are no trouble.

const GANTT_LEFT = 84; // room for names
const GANTT_RIGHT = 14;

/**
 * @param rows [{name, bars: [[begin, end, colour, lane, text]]}]; lane 0 is the upper half of the
 *   row, 1 the lower, null all of it; bars without a text are not told about
 * @param rowHeight pixels on the screen
 */
function drawGantt(host, width, rows, rowHeight) {
  const ratio = theme.printing ? PAPER_SHARPNESS : window.devicePixelRatio || 1;
  const height = theme.printing ? Math.min(rowHeight, Math.max(800 / rows.length, 0.5)) : rowHeight;
  const box = make("div", { class: "gantt" });
  host.append(box);
  const inside = theme.printing ? width : box.clientWidth || width;
  const canvas = makeCanvas(inside, Math.ceil(rows.length * height), ratio);
  const axis = makeCanvas(inside, 42, ratio);
  axis.classList.add("gantt-axis");
  box.append(canvas);
  host.append(axis);
  const state = { canvas, axis, ratio, rows, height, width: inside, min: view.full[0], max: view.full[1] };
  const setTime = (min, max) => {
    Object.assign(state, { min, max });
    paintRows(state);
    paintAxis(state);
  };
  setTime(...(view.zoom || view.full));
  canvas.addEventListener("mousemove", (event) => showBar(event, state));
  canvas.addEventListener("mouseleave", tooltip.hide);
  addDrag(canvas, state);
  return { setTime };
}

function makeCanvas(width, height, ratio) {
  const canvas = make("canvas", { style: `width:${width}px;height:${height}px` });
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.max(Math.round(height * ratio), 1);
  return canvas;
}

function timeToX(state, time) {
  return GANTT_LEFT + ((time - state.min) / (state.max - state.min)) * (state.width - GANTT_LEFT - GANTT_RIGHT);
}

function xToTime(state, x) {
  return state.min + ((x - GANTT_LEFT) / (state.width - GANTT_LEFT - GANTT_RIGHT)) * (state.max - state.min);
}

function paintRows(state) {
  const pen = state.canvas.getContext("2d");
  pen.setTransform(state.ratio, 0, 0, state.ratio, 0, 0);
  pen.clearRect(0, 0, state.width, state.rows.length * state.height);
  const right = state.width - GANTT_RIGHT;
  const every = Math.max(Math.ceil(13 / state.height), 1); // rows per name
  pen.font = AXIS_FONT;
  pen.textBaseline = "middle";
  pen.textAlign = "right";
  state.rows.forEach((row, i) => {
    const top = i * state.height;
    const gap = state.height > 6 ? 1.5 : 0;
    for (const [begin, end, colour, lane] of row.bars) {
      const from = Math.max(timeToX(state, begin), GANTT_LEFT);
      const to = Math.min(timeToX(state, end), right);
      if (to < GANTT_LEFT || from > right) {
        continue;
      }
      const half = (state.height - gap) / 2;
      pen.fillStyle = colour;
      pen.fillRect(from, top + (lane === 1 ? half : 0) + gap / 2, Math.max(to - from, 0.4), lane === null ? 2 * half : half);
    }
    if (i % every === 0) {
      pen.fillStyle = styleColour("--quiet");
      pen.fillText(row.name, GANTT_LEFT - 8, top + Math.min(state.height * every, 14) / 2, GANTT_LEFT - 12);
    }
  });
}

/** Round steps, such as 1, 2 or 5 times a power of ten. */
function roundStep(range, count) {
  const rough = range / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 5].find((k) => k * power >= rough) || 10);
}

function paintAxis(state) {
  const pen = state.axis.getContext("2d");
  const { xFormat, xLabel } = timeAxis();
  pen.setTransform(state.ratio, 0, 0, state.ratio, 0, 0);
  pen.clearRect(0, 0, state.width, 42);
  pen.font = AXIS_FONT;
  pen.fillStyle = styleColour("--quiet");
  pen.strokeStyle = styleColour("--line");
  pen.textAlign = "center";
  pen.textBaseline = "top";
  const step = roundStep(state.max - state.min, state.width / 110);
  for (let k = Math.ceil(state.min / step); k * step <= state.max; ++k) {
    const x = timeToX(state, k * step);
    pen.beginPath();
    pen.moveTo(x, 0);
    pen.lineTo(x, 5);
    pen.stroke();
    pen.fillText(xFormat(k * step), x, 7);
  }
  pen.fillText(xLabel, (GANTT_LEFT + state.width - GANTT_RIGHT) / 2, 24);
}

function showBar(event, state) {
  const box = state.canvas.getBoundingClientRect();
  const row = state.rows[Math.floor((event.clientY - box.top) / state.height)];
  const time = xToTime(state, event.clientX - box.left);
  const slack = (state.max - state.min) / (state.width - GANTT_LEFT);
  const hits = row ? row.bars.filter(([begin, end, , , text]) => text && begin - slack <= time && time <= end + slack) : [];
  if (hits.length === 0) {
    tooltip.hide();
    return;
  }
  tooltip.show(event, [row.name, ...hits.slice(0, 4).map(([begin, end, , , text]) =>
    `${text}: ${timeText(begin, 6)} to ${timeText(end, 6)} (${timeText(end - begin)})`)].join("\n"));
}

/** Dragging zooms, a double click shows all, as in the other charts. */
function addDrag(canvas, state) {
  let start = null;
  const timeOf = (event) => xToTime(state, Math.min(Math.max(event.offsetX, GANTT_LEFT), state.width - GANTT_RIGHT));
  canvas.addEventListener("mousedown", (event) => {
    start = { x: event.offsetX, time: timeOf(event) };
  });
  canvas.addEventListener("mouseup", (event) => {
    if (start !== null && Math.abs(event.offsetX - start.x) > 3) {
      const end = timeOf(event);
      setTimeView([Math.min(start.time, end), Math.max(start.time, end)]);
    }
    start = null;
  });
  canvas.addEventListener("dblclick", () => setTimeView(null));
}
