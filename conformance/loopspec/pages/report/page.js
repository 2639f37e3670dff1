// Filters the table and opens rules. What opens is HTML that was escaped when the page was made, compressed.
// The address has both after its #: the rule that is open, and after a ? the filters.

const dialog = document.getElementById("opened");
const place = document.getElementById("place");
const form = document.getElementById("filter");
const rows = [...document.querySelectorAll(".rules tr[id]")];
const heads = [...document.querySelectorAll(".rules tbody.document")];
const byId = new Map(rows.map((row) => [row.id, row]));
const title = document.title;
let index; // what the filters look at, made when the first of them is set
let details; // a promise of the details, by rule
let current = "";
let isTyping = false; // the last entry of the history is a search that is being typed
const UNREADABLE = '<h2 id="opened-title" tabindex="-1">This browser cannot unpack the details of a rule.</h2>';

// --- the filters

const plain = (text) => text.normalize("NFKC").toLowerCase();
const shownRows = () => rows.filter((row) => !row.hidden && !row.parentNode.hidden);
const isJudged = (state) => state !== "inapplicable" && state !== "absent";

function entries() {
  return rows.map((row) => {
    const [head, ...cells] = row.children;
    return {
      text: plain(`${row.parentNode.rows[0].cells[0].textContent} ${head.textContent}`),
      area: row.id.replace(/-[^-]*$/, ""),
      basis: head.querySelector("i").className,
      states: cells.map((cell) => cell.className),
    };
  });
}

function fits(states, wanted) {
  if (wanted === "broken") return states.some((state) => state !== "passed" && isJudged(state));
  return !wanted || states.includes(wanted);
}

// What a row must have to be shown; undefined where every row is.
function criteria() {
  const wanted = Object.fromEntries(new FormData(form));
  const words = plain(wanted.text).split(/\s+/).filter(Boolean);
  if (!words.length && !wanted.area && !wanted.basis && !wanted.verdict) return undefined;
  index ??= entries();
  return (n) => {
    const { text, area, basis, states } = index[n];
    return words.every((word) => text.includes(word))
      && (!wanted.area || area === wanted.area)
      && (!wanted.basis || basis === wanted.basis)
      && (wanted.verdict === "differs"
        ? new Set(states).size > 1
        : fits(wanted.column ? [states[wanted.column]] : states, wanted.verdict));
  };
}

function filter() {
  const matches = criteria();
  const { inapplicable, verdict } = form.elements;
  const hides = inapplicable && !inapplicable.checked && verdict.value !== "inapplicable";
  let left = 0;
  let hidden = 0; // rows that match, and that nothing was judged by
  rows.forEach((row, n) => {
    const shows = !matches || matches(n);
    const isHidden = shows && hides && row.classList.contains("not-judged");
    row.hidden = !shows || isHidden;
    left += shows && !isHidden;
    hidden += isHidden;
  });
  for (const head of heads) {
    let any = false;
    for (let body = head.nextElementSibling; body && !heads.includes(body); body = body.nextElementSibling) {
      body.hidden = ![...body.rows].some((row) => row.id && !row.hidden);
      any ||= !body.hidden;
    }
    head.hidden = !any;
  }
  document.getElementById("nothing").hidden = left > 0;
  const number = (count) => count.toLocaleString("en");
  document.getElementById("left").textContent
    = `${left === rows.length ? "" : `${number(left)} of `}${number(rows.length)} ${rows.length === 1 ? "rule" : "rules"}`
    + (hidden ? `, ${number(hidden)} inapplicable hidden` : "");
}

// --- the address

function addressed() {
  const [, id, query] = /^#?([^?]*)\??(.*)$/s.exec(location.hash);
  return { id, query: new URLSearchParams(query) };
}

// Browsers refuse too many entries in a short time: the view is right all the same.
function note(how, id) {
  const query = String(new URLSearchParams([...new FormData(form)].filter(([, value]) => value)));
  const hash = id || query ? `#${id}${query && `?${query}`}` : "";
  if (hash === location.hash) return;
  try { history[how](null, "", location.href.split("#")[0] + hash); } catch { /* as above */ }
}

function setFilters(query) {
  for (const field of form.elements) {
    if (field.type === "checkbox") field.checked = query.get(field.name) === field.value;
    else if (field.name) field.value = query.get(field.name) ?? "";
    if (field.selectedIndex < 0) field.value = ""; // there is no such option
  }
  filter();
}

function follow() {
  const { id, query } = addressed();
  if (!id || byId.has(id)) {
    isTyping = false;
    setFilters(query);
  }
  if (byId.has(id)) {
    if (id !== current || !dialog.open) open(id);
  } else if (dialog.open) dialog.close();
}

form.addEventListener("input", ({ target }) => {
  const typed = target === form.elements.text;
  note(typed && isTyping ? "replaceState" : "pushState", "");
  isTyping = typed;
  filter();
});
form.addEventListener("focusout", () => { isTyping = false; });
form.addEventListener("reset", (event) => {
  event.preventDefault(); // it would happen after this
  setFilters(new URLSearchParams());
  note("pushState", "");
});
form.addEventListener("submit", (event) => event.preventDefault());

// --- one rule

async function unpack() {
  const packed = atob(document.getElementById("details").textContent);
  const bytes = Uint8Array.from(packed, (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}

async function open(id) {
  current = id;
  const html = (await (details ??= unpack().catch(() => ({}))))[id] ?? UNREADABLE;
  if (current !== id) return; // another rule was opened meanwhile
  const among = shownRows();
  const at = among.indexOf(byId.get(id));
  document.getElementById("opened-rule").innerHTML = html;
  for (const table of dialog.querySelectorAll(".matrix")) addRoles(table);
  place.textContent = at < 0 ? "" : `${at + 1} of ${among.length}`;
  // The bar stays in view while the rule scrolls. Readers of the screen have the heading.
  document.getElementById("which").textContent = `${id} ${document.getElementById("opened-title").textContent}`;
  for (const button of dialog.querySelectorAll("[data-go]")) {
    button.disabled = !among[at + Number(button.dataset.go)] || at < 0;
  }
  document.title = `${id} – ${title}`;
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
}

function go(step) {
  const among = shownRows();
  const row = among[among.indexOf(byId.get(current)) + step];
  if (!row) return;
  note("replaceState", row.id);
  open(row.id).then(() => {
    if (document.activeElement.disabled || document.activeElement === document.body) {
      document.getElementById("opened-title").focus();
    }
  });
}

dialog.addEventListener("close", () => {
  if (dialog.open) return; // on the next rule already
  const row = byId.get(current);
  document.title = title;
  if (addressed().id === current) note("replaceState", "");
  current = "";
  const link = row.querySelector("a");
  (link.checkVisibility() ? link : form.elements.text).focus();
});
dialog.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (event.target === dialog || button?.hasAttribute("data-close")) dialog.close();
  else if (button) go(Number(button.dataset.go));
});
document.querySelector(".rules").addEventListener("click", (event) => {
  const row = event.target.closest("tr[id]");
  if (!row || event.ctrlKey || event.metaKey || event.shiftKey || String(getSelection())) return;
  event.preventDefault(); // the row is in view: nothing is to scroll
  if (addressed().id !== row.id) note("pushState", row.id);
  open(row.id);
});
document.querySelector(".rules").addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || !event.target.matches("a")) return;
  const among = shownRows();
  const next = among[among.indexOf(event.target.closest("tr")) + step];
  if (!next) return;
  event.preventDefault();
  next.querySelector("a").focus();
});
window.addEventListener("hashchange", follow);
window.addEventListener("popstate", follow);

// --- some browsers take a table that is laid out as blocks and grids for none, unless it has the roles of one

const ROLES = { TABLE: "table", THEAD: "rowgroup", TBODY: "rowgroup", TR: "row", TD: "cell" };

function addRoles(table) {
  for (const node of [table, ...table.querySelectorAll("thead, tbody, tr, th, td")]) {
    const role = ROLES[node.tagName] ?? (node.scope === "col" ? "columnheader" : "rowheader");
    node.setAttribute("role", role);
  }
}
window.addEventListener("load", () => setTimeout(() => addRoles(document.querySelector(".rules"))));

// --- nothing can be unfolded on paper

let opened = [];
window.addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("details:not([open])")].filter((one) => !one.closest(".without"));
  for (const one of opened) one.open = true;
});
window.addEventListener("afterprint", () => { for (const one of opened) one.open = false; });

filter();
follow();
