// Making elements. Text is always set as text: what a run is called can never become markup.

/** An element with attributes and children, which are elements or texts. */
function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for parts of a picture. */
function makeSvg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), value);
    } else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** A table: `columns` are {head, title, number, name, value(row)}, where names and numbers
 * are not broken into lines. */
function makeTable(columns, rows, attributes = {}) {
  const heads = columns.map((c) => make("th", { class: c.number ? "number" : null, title: c.title, scope: "col" }, c.head));
  const lines = rows.map((row) =>
    make("tr", {}, ...columns.map((c) => make("td", { class: c.number ? "number" : c.name ? "name" : null }, c.value(row)))));
  return make("div", { class: "wide" },
    make("table", attributes, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...lines)));
}

/** A labelled choice: `options` are [value, text]. */
function makeChoice(label, options, chosen, onchange) {
  const select = make("select", { onchange: () => onchange(select.value) },
    ...options.map(([value, text]) => make("option", { value, selected: value === chosen }, text)));
  return make("label", { class: "choice" }, label + " ", select);
}

/** Says why there is nothing to see. */
function makeMissing(why) {
  return make("p", { class: "missing" }, why);
}

/** A legend of coloured squares: `entries` are [colour, text]. */
function makeLegend(entries) {
  return make("ul", { class: "legend" }, ...entries.map(([colour, text]) =>
    make("li", {}, make("span", { class: "square", style: `background:${colour}` }), text)));
}

const tooltip = {
  show(event, text) {
    const box = document.getElementById("tooltip");
    box.textContent = text;
    box.hidden = false;
    const x = Math.min(event.clientX + 14, window.innerWidth - box.offsetWidth - 8);
    const below = event.clientY + 14;
    const y = below + box.offsetHeight > window.innerHeight ? event.clientY - box.offsetHeight - 10 : below;
    box.style.left = `${Math.max(x, 4)}px`;
    box.style.top = `${Math.max(y, 4)}px`;
  },
  hide() {
    document.getElementById("tooltip").hidden = true;
  },
};
