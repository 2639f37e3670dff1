// Filters the table and opens rules. What opens is HTML that was escaped when the page was made, deflated.

const dialog = document.getElementById("opened");
const place = document.getElementById("place");
const form = document.getElementById("filter");
const rows = [...document.querySelectorAll(".rules tr[id]")];
const heads = [...document.querySelectorAll(".rules tbody.document")];
const byId = new Map(rows.map((row) => [row.id, row]));
const title = document.title;
let index; // what the filter looks at, made when it is first used
let details; // a promise of what opens, by rule
let current = "";
const SEALED = '<h2 id="opened-title" tabindex="-1">This browser cannot unpack what there is about a rule.</h2>';

// --- the filter

const plain = (text) => text.normalize("NFKC").toLowerCase();
const shownRows = () => rows.filter((row) => !row.hidden && !row.parentNode.hidden);
const silent = (state) => state === "inapplicable" || state === "absent";

function look() {
  return rows.map((row) => {
    const [head, ...cells] = row.children;
    return {
      row,
      text: plain(`${row.parentNode.rows[0].cells[0].textContent} ${head.textContent}`),
      area: row.id.replace(/-[^-]*$/, ""),
      basis: head.querySelector("i").className,
      states: cells.map((cell) => cell.className),
    };
  });
}

function fits(states, wanted) {
  if (wanted === "broken") return states.some((state) => state !== "passed" && !silent(state));
  return !wanted || states.includes(wanted);
}

function filter() {
  index ??= look();
  const wanted = Object.fromEntries(new FormData(form));
  const words = plain(wanted.text).split(/\s+/).filter(Boolean);
  let left = 0;
  for (const { row, text, area, basis, states } of index) {
    const asked = wanted.column ? [states[wanted.column]] : states;
    const shows = words.every((word) => text.includes(word))
      && (!wanted.area || area === wanted.area)
      && (!wanted.basis || basis === wanted.basis)
      && (wanted.verdict === "differs" ? new Set(states).size > 1 : fits(asked, wanted.verdict));
    row.hidden = !shows;
    left += shows;
  }
  for (const head of heads) {
    let any = false;
    for (let body = head.nextElementSibling; body && !heads.includes(body); body = body.nextElementSibling) {
      body.hidden = ![...body.rows].some((row) => row.id && !row.hidden);
      any ||= !body.hidden;
    }
    head.hidden = !any;
  }
  document.getElementById("nothing").hidden = left > 0;
  const all = rows.length.toLocaleString("en");
  document.getElementById("left").textContent
    = left === rows.length ? `${all} rules` : `${left.toLocaleString("en")} of ${all} rules`;
}

form.addEventListener("input", filter);
form.addEventListener("reset", (event) => {
  event.preventDefault(); // it would be done after this
  for (const field of form.elements) if (field.name) field.value = "";
  filter();
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
  const html = (await (details ??= unpack().catch(() => ({}))))[id] ?? SEALED;
  if (current !== id) return; // another one was asked for meanwhile
  const among = shownRows();
  const at = among.indexOf(byId.get(id));
  document.getElementById("opened-rule").innerHTML = html;
  for (const table of dialog.querySelectorAll(".matrix")) sayTable(table);
  place.textContent = at < 0 ? "" : `${at + 1} of ${among.length}`;
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
  history.replaceState(null, "", `#${row.id}`);
  open(row.id).then(() => {
    if (document.activeElement.disabled || document.activeElement === document.body) {
      document.getElementById("opened-title").focus();
    }
  });
}

function follow() {
  const id = location.hash.slice(1); // an id is nothing that an address would write otherwise
  if (byId.has(id)) open(id);
  else if (dialog.open) dialog.close();
}

dialog.addEventListener("close", () => {
  const row = byId.get(current);
  document.title = title;
  if (location.hash.slice(1) === current) {
    history.replaceState(null, "", location.href.split("#")[0]);
  }
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
  event.preventDefault(); // the row is where it is looked at: nothing is to scroll
  if (location.hash !== `#${row.id}`) history.pushState(null, "", `#${row.id}`);
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

// --- a table that is laid out as blocks and grids is none to some browsers, unless it says so

const ROLES = { TABLE: "table", THEAD: "rowgroup", TBODY: "rowgroup", TR: "row", TD: "cell" };

function sayTable(table) {
  for (const node of [table, ...table.querySelectorAll("thead, tbody, tr, th, td")]) {
    const role = ROLES[node.tagName] ?? (node.scope === "col" ? "columnheader" : "rowheader");
    node.setAttribute("role", role);
  }
}
window.addEventListener("load", () => setTimeout(() => sayTable(document.querySelector(".rules"))));

// --- paper has no way to open anything

let opened = [];
window.addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("details:not([open])")].filter((one) => !one.closest(".without"));
  for (const one of opened) one.open = true;
});
window.addEventListener("afterprint", () => { for (const one of opened) one.open = false; });

follow();
