// The filter of the results page: rules for which an implementation, or any one, has a state.
"use strict";
{
  const [form, table, count] = ["filter", "matrix", "count"].map((id) => document.getElementById(id));
  const groups = [...table.tBodies].map((body) => ({ body, rows: [...body.rows].slice(1) }));
  const columns = [...table.querySelectorAll("[data-of]")];
  const total = groups.reduce((sum, { rows }) => sum + rows.length, 0);

  const filter = () => {
    const { implementation, state } = Object.fromEntries(new FormData(form));
    for (const cell of columns) cell.hidden = implementation !== "" && cell.dataset.of !== implementation;
    let shown = 0;
    for (const { body, rows } of groups) {
      let some = false;
      for (const row of rows) {
        const fits = [...row.cells].some((cell) => cell.dataset.of && !cell.hidden && (!state || cell.dataset.state === state));
        row.hidden = !fits;
        shown += fits;
        some ||= fits;
      }
      body.hidden = !some;
    }
    count.textContent = shown === total ? `${total} rules` : `${shown} of ${total} rules`;
    return { implementation, state };
  };

  const asked = new URLSearchParams(location.search);
  for (const select of form.querySelectorAll("select")) {
    const value = asked.get(select.name) ?? "";
    if ([...select.options].some((option) => option.value === value)) select.value = value;
  }
  form.hidden = false;
  filter();
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", () => {
    const chosen = Object.entries(filter()).filter(([, value]) => value);
    // The address names what is shown. Some browsers forbid that for files.
    try { history.replaceState(null, "", `?${new URLSearchParams(chosen)}${location.hash}`); } catch { /* as above */ }
  });
}
