// The filter of the table of results: rules for which an implementation, or any one, has a verdict.
"use strict";
{
  const place = document.getElementById("filter"), table = document.getElementById("by-rule");
  const select = (name, options) => {
    const label = document.createElement("label"), box = document.createElement("select");
    label.append(`${name} `, box);
    box.append(...options.map(([value, text]) => new Option(text, value)));
    box.addEventListener("change", () => filter());
    place.append(label, " ");
    return box;
  };
  let filter = () => {};
  if (place && table) {
    const names = [...table.tHead.rows[0].cells].slice(1).map((cell, at) => [String(at + 1), cell.textContent.trim()]);
    const states = [...new Set([...table.querySelectorAll("[data-state]")].map((cell) => cell.dataset.state))];
    const who = select("Implementation", [["", "All"], ...names]);
    const what = select("Verdict", [["", "Any"], ...states.map((state) => [state, state])]);
    const count = place.appendChild(document.createElement("span"));
    count.setAttribute("role", "status");
    filter = () => {
      let shown = 0, total = 0;
      for (const body of table.tBodies) {
        let some = false;
        for (const row of [...body.rows].slice(1)) {
          const fits = [...row.cells].some((cell, at) =>
            at > 0 && (!who.value || at === Number(who.value)) && (!what.value || cell.dataset.state === what.value));
          row.hidden = !fits;
          some ||= fits;
          shown += fits;
          total += 1;
        }
        body.hidden = !some;
      }
      for (const row of table.rows)
        [...row.cells].forEach((cell, at) => { cell.hidden = at > 0 && who.value !== "" && at !== Number(who.value); });
      count.textContent = shown === total ? `${total} rules` : `${shown} of ${total} rules`;
    };
    filter();
  }
}
// What scrolls sideways can be scrolled with the keyboard. The docs tool wraps tables after the page has loaded.
{
  const mark = () => {
    for (const node of document.querySelectorAll(".md-typeset__scrollwrap, .highlight code"))
      if (node.scrollWidth > node.clientWidth) node.tabIndex = 0;
  };
  mark();
  new MutationObserver(mark).observe(document.querySelector("article"), { childList: true, subtree: true });
  addEventListener("toggle", mark, true);
  addEventListener("resize", mark);
}
