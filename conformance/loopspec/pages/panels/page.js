// Reads the forms, checks what they say against the schemas, and shows options: only what is valid.

const page = JSON.parse(document.getElementById("words").textContent);
const LARGEST = Number.MAX_SAFE_INTEGER;
let language = 0;
let copies = 0;

// --- what is said

const filled = (text, values) => text.replace(/\{(\w+)\}/g, (hole, name) => (name in values ? values[name] : hole));
const shown = (value) => (typeof value === "string" ? value : JSON.stringify(value));

class Panel {
  constructor(form) {
    this.form = form;
    this.section = form.closest("section");
    const data = JSON.parse(form.querySelector("[data-schema]").textContent);
    this.schema = data.schema ?? { type: "object", additionalProperties: false };
    this.shows = data.shows;
    this.root = form.querySelector(":scope > [data-kind]");
    this.summary = form.querySelector("[data-summary]");
    this.output = form.querySelector("output");
    this.errors = new Map(); // by field: the reason and what it limits
    this.tried = false;
    this.unreadable = [];
    form.addEventListener("submit", (event) => { event.preventDefault(); this.submit(); });
    // Not on leaving a field: what moves then slips away from under the mouse that is on its way to a button.
    form.addEventListener("input", (event) => this.changed(event.target));
    form.addEventListener("click", (event) => this.clicked(event.target.closest("button")));
    this.noteUnreadable();
  }

  say(word, values = {}) { return filled(page.words[this.shows[language][1]][word], values); }

  // "“Files” must be at least 1." A reason may be several, of which one has to hold.
  sentence(field, [reason, limit]) {
    const name = nameOf(field) || this.say("options");
    if (reason === "required") return this.say("is required", { field: name });
    const reasons = reason === "type" ? limit.map((kind) => this.say(kind)).join(this.say("or")) : this.say(reason, { limit });
    return this.say("sentence", { field: name, reason: reasons });
  }

  // A pattern of another dialect cannot be checked here; that is said, and not hidden.
  noteUnreadable() {
    const parts = [this.schema];
    while (parts.length) {
      const part = parts.pop();
      if (part === null || typeof part !== "object") continue;
      if (typeof part.pattern === "string" && !compiled(part.pattern)) this.unreadable.push(`pattern ${part.pattern}`);
      for (const name of Object.keys(part.patternProperties ?? {})) if (!compiled(name)) this.unreadable.push(`pattern ${name}`);
      parts.push(...Object.values(part));
    }
    if (!this.unreadable.length) return;
    const note = this.form.parentElement.querySelector("[data-unchecked]");
    for (const text of note.querySelectorAll("span")) {
      const own = text.dataset.in ? this.shows[Number(text.dataset.in.split(" ")[0])][1] : this.shows[0][1];
      const known = note.hidden ? [] : [text.textContent];
      text.textContent = [...known, filled(page.words[own].unchecked, { limit: this.unreadable.join(", ") })].join(" ");
    }
    note.hidden = false;
  }

  // --- what is done

  options() {
    const reading = new Reading();
    const value = reading.read(this.root, []);
    new Check(this.schema, (path, reason, limit) => reading.wrong(path, reason, limit)).check(this.schema, value, []);
    this.errors = reading.errors;
    return value;
  }

  submit() {
    this.tried = true;
    const value = this.options();
    this.mark();
    const first = [this.root, ...this.root.querySelectorAll("[data-kind]")].find((field) => this.errors.has(field));
    this.output.textContent = first ? "" : JSON.stringify(value, null, 2);
    if (first) (controlOf(first) ?? first.querySelector("legend") ?? this.form.querySelector("button[type=submit]")).focus();
  }

  changed(control) {
    const field = control.closest("[data-kind]");
    if (control.matches("[data-toggle]")) field.querySelector(":scope > [data-inside]").hidden = !control.checked;
    this.again();
  }

  clicked(button) {
    if (!button || button.type !== "button") return;
    const rows = button.closest("[data-inside]").querySelector(":scope > [data-rows]");
    if ("add" in button.dataset) {
      const copy = unique(button.parentElement.querySelector(":scope > template").content.cloneNode(true));
      rows.append(copy);
      renumber(rows);
      const row = rows.lastElementChild;
      speak(row, this);
      row.querySelector("input, select, textarea, button").focus();
    } else if ("remove" in button.dataset) {
      const row = button.closest("li");
      const next = row.nextElementSibling ?? row.previousElementSibling;
      row.remove();
      renumber(rows);
      (next?.querySelector(":scope > [data-remove]") ?? rows.parentElement.querySelector(":scope > [data-add]")).focus();
    }
    this.output.textContent = "";
    this.again();
  }

  // After the first request for options, a change shows at once what is still wrong.
  again() {
    this.output.textContent = "";
    if (!this.tried) return;
    this.options();
    this.mark();
  }

  mark() {
    for (const field of [this.root, ...this.root.querySelectorAll("[data-kind]")]) {
      const error = this.errors.get(field);
      const place = field.querySelector(":scope > .error");
      place.textContent = error ? this.sentence(field, error) : "";
      place.hidden = !error;
      const control = controlOf(field);
      if (control && error) control.setAttribute("aria-invalid", "true");
      else if (control) control.removeAttribute("aria-invalid");
    }
    const count = this.errors.size;
    const text = count ? this.say(count === 1 ? "invalid one" : "invalid", { limit: count }) : "";
    if (this.summary.textContent !== text) this.summary.textContent = text;
  }

  translate() {
    this.section.lang = this.shows[language][0];
    speak(this.form, this);
    if (this.tried) this.mark();
  }
}

// --- fields

const own = (field, selector) => field.querySelector(`:scope > ${selector}, :scope > .tick > ${selector}`);
const isGroup = (field) => field.dataset.kind === "object" || field.dataset.kind === "array";
const controlOf = (field) => (isGroup(field) ? own(field, "[data-toggle]") : own(field, ":is(input, select, textarea)"));

function nameOf(field) {
  const name = field.querySelector(":scope > label [data-name], :scope > legend [data-name], :scope > .tick [data-name]");
  return name ? textOf(name).replace(/\s+/g, " ").trim() : "";
}

// The text of what is not hidden; that it may be in a part of the form which is, makes no difference.
function textOf(node) {
  if (node.nodeType === Node.TEXT_NODE) return node.data;
  return node.hidden ? "" : [...node.childNodes].map(textOf).join("");
}

function unique(copy) {
  const end = `-c${(copies += 1)}`;
  for (const node of copy.querySelectorAll("[id], [for], [aria-describedby]")) {
    for (const name of ["id", "for", "aria-describedby"]) {
      const value = node.getAttribute(name);
      if (value) node.setAttribute(name, value.split(" ").map((id) => id + end).join(" "));
    }
  }
  return copy;
}

// The number of a row is in its name and on its button, not in the rows inside it.
function renumber(rows) {
  [...rows.children].forEach((row, place) => {
    for (const number of row.querySelectorAll("[data-number]")) {
      if (number.closest("[data-rows]") === rows) number.textContent = ` ${place + 1}`;
    }
  });
}

function speak(where, panel) {
  for (const text of where.querySelectorAll("[data-in]")) text.hidden = !text.dataset.in.split(" ").includes(String(language));
  for (const option of where.querySelectorAll("[data-word]")) option.textContent = panel.say(option.dataset.word);
  for (const node of where.querySelectorAll("[data-label]")) node.setAttribute("aria-label", panel.say(node.dataset.label));
}

// --- from the form to a value

class Reading {
  constructor() {
    this.places = new Map(); // by path: the field
    this.errors = new Map();
  }

  wrong(path, reason, limit) {
    for (let end = path.length; end >= 0; end -= 1) {
      const field = this.places.get(JSON.stringify(path.slice(0, end)));
      if (field) return void (this.errors.has(field) || this.errors.set(field, [reason, limit]));
    }
  }

  read(field, path) {
    if (!("extra" in field.dataset)) this.places.set(JSON.stringify(path), field);
    const toggle = isGroup(field) && own(field, "[data-toggle]");
    if (toggle && !toggle.checked) return this.nothing(field);
    const inside = field.querySelector(":scope > [data-inside]");
    switch (field.dataset.kind) {
      case "object": return this.object([...inside.children].filter((child) => child.dataset.kind), path);
      case "array": return this.array(field, [...inside.querySelector("[data-rows]").children], path);
      case "boolean": return controlOf(field).checked;
    }
    return this.simple(field, controlOf(field).value);
  }

  object(children, path) {
    const found = new Map();
    const read = children.map((child) => [child, this.read(child, [...path, child.dataset.key])]);
    for (const [child, value] of read) if (!("extra" in child.dataset) && value !== UNSET) found.set(child.dataset.key, value);
    const names = new Set(children.filter((child) => !("extra" in child.dataset)).map((child) => child.dataset.key));
    for (const [child, more] of read) {
      if (!("extra" in child.dataset) || more === UNSET) continue;
      if (more === null || typeof more !== "object" || Array.isArray(more)) { this.errors.set(child, ["type", ["object"]]); continue; }
      for (const [key, value] of Object.entries(more)) {
        if (names.has(key)) this.errors.set(child, ["without", key]);
        else found.set(key, value);
        this.places.set(JSON.stringify([...path, key]), this.places.get(JSON.stringify([...path, key])) ?? child);
      }
    }
    return Object.fromEntries(found);
  }

  array(field, rows, path) {
    if (!rows.length && !("required" in field.dataset) && !("default" in field.dataset)) return UNSET;
    return rows.map((row, place) => this.read(row.querySelector(":scope > [data-kind]"), [...path, place]));
  }

  nothing(field) {
    const { required, nullable, default: given } = field.dataset;
    if (nullable !== undefined && (required !== undefined || given !== undefined)) return null;
    if (required !== undefined) this.errors.set(field, ["required"]);
    return UNSET;
  }

  simple(field, text) {
    const kind = field.dataset.kind;
    const { blank, nullable, default: given } = field.dataset;
    const trimmed = text.trim();
    if (kind === "string") {
      if (text !== "") return text;
      return blank !== undefined && given !== undefined && nullable === undefined ? "" : this.nothing(field);
    }
    if (trimmed === "") return this.nothing(field);
    if (kind === "integer" || kind === "number") return this.number(field, trimmed, kind);
    try {
      return JSON.parse(trimmed);
    } catch {
      this.errors.set(field, ["json"]);
      return UNSET;
    }
  }

  number(field, text, kind) {
    const form = kind === "integer" ? /^[+-]?\d+$/ : /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
    const value = Number(text);
    if (!form.test(text) || !Number.isFinite(value)) this.errors.set(field, ["type", [kind]]);
    else if (Math.abs(value) > LARGEST && kind === "integer") this.errors.set(field, ["exact"]);
    return value === 0 ? 0 : value;
  }
}

// --- the page

const panels = [...document.querySelectorAll("[data-form]")].map((form) => new Panel(form));

function switchTo(chosen) {
  language = chosen;
  document.documentElement.lang = page.shows[language][0];
  document.title = `${page.words[page.shows[language][1]].title} – ${page.target}`;
  for (const button of document.querySelectorAll("[data-language]")) {
    button.setAttribute("aria-pressed", String(Number(button.dataset.language) === language));
  }
  for (const text of document.querySelectorAll("[data-in]")) text.hidden = !text.dataset.in.split(" ").includes(String(language));
  for (const panel of panels) panel.translate();
}

for (const button of document.querySelectorAll("[data-language]")) {
  button.addEventListener("click", () => switchTo(Number(button.dataset.language)));
}
