// Search over index.js, which is in the same folder.
"use strict";
{
  const MOST = 50;
  const [box, list, count] = ["q", "results", "count"].map((id) => document.getElementById(id));
  const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const entries = window.loopspecIndex.map(([kind, name, title, topic, more, address]) => ({
    kind, name, title, topic, address, in: [kind, name, title, `${topic} ${more}`].map(plain),
  }));

  const quoted = (word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

  // How well a word fits an entry; 0 if it is nowhere in it.
  const fit = ([kind, name, title, more], { word, whole }) => {
    if (name === word) return 100;
    if (name.startsWith(`${word}-`) || (/[-\d]/.test(word) && name.startsWith(word))) return 40;
    if (whole.test(title)) return 20;
    if (title.includes(word)) return 10;
    if (name.includes(word)) return 8;
    if (kind === word) return 4;
    return ` ${more}`.includes(` ${word}`) ? 3 : more.includes(word) ? 1 : 0;
  };

  // What is looked for: each word, without the ending of a plural or a verb.
  const wordsOf = (text) => text.split(/\s+/).filter(Boolean).map((word) => word.replace(/(?<=\w{3})(?<!s)s$/, ""));

  const find = (text) => {
    const words = wordsOf(plain(text)).map((word) => ({
      word, whole: new RegExp(`\\b${quoted(word)}(s|ed|ing)?\\b`),
    }));
    if (!words.length) return [];
    const inOrder = new RegExp(words.map(({ word }) => quoted(word)).join(".*"));
    return entries
      .map((entry, at) => {
        const fits = words.map((word) => fit(entry.in, word));
        const score = fits.includes(0) ? 0 : fits.reduce((sum, one) => sum + one);
        if (!score) return { score };
        return { entry, at, score: score + (inOrder.test(entry.in[2]) ? 5 : 0) + (entry.topic ? 2 : 0) }; // rules first
      })
      .filter((found) => found.score)
      .sort((a, b) => b.score - a.score || a.at - b.at)
      .map((found) => found.entry);
  };

  // The words of the query are marked in each result; everything is text, never HTML.
  const marked = (tag, text, words) => {
    const node = document.createElement(tag);
    const parts = words.length ? text.split(new RegExp(`(${words.map(quoted).join("|")})`, "gi")) : [text];
    parts.forEach((part, number) => {
      if (number % 2) node.appendChild(document.createElement("mark")).textContent = part;
      else node.append(part);
    });
    return node;
  };

  const shown = (entry, words) => {
    const item = document.createElement("li");
    const link = item.appendChild(document.createElement("a"));
    link.href = entry.address;
    const chip = link.appendChild(document.createElement("span"));
    chip.className = `chip ${entry.kind}`;
    chip.textContent = entry.kind;
    if (entry.name) {
      const name = link.appendChild(marked("span", entry.name, words));
      name.className = "id";
    }
    link.appendChild(marked("span", entry.title, words)).className = "said";
    if (entry.topic) link.appendChild(marked("span", entry.topic, words)).className = "of";
    return item;
  };

  const search = () => {
    const words = wordsOf(box.value);
    const found = find(box.value);
    list.replaceChildren(...found.slice(0, MOST).map((entry) => shown(entry, words)));
    if (!words.length) count.textContent = "";
    else if (!found.length) count.textContent = `No entry contains ${words.length > 1 ? "all of these words" : "this word"}.`;
    else if (found.length > MOST) count.textContent = `${found.length} results; the first ${MOST} are shown.`;
    else count.textContent = `${found.length} result${found.length > 1 ? "s" : ""}`;
  };

  document.getElementById("unscripted").hidden = true;
  box.value = new URLSearchParams(location.search).get("q") ?? "";
  search();
  box.addEventListener("input", () => {
    search();
    // Coming back shows the same results. Some browsers forbid it for files: then the first query stays.
    try { history.replaceState(null, "", `?${new URLSearchParams({ q: box.value })}`); } catch { /* as above */ }
  });
  box.form.addEventListener("submit", (event) => {
    event.preventDefault();
    list.querySelector("a")?.click();
  });
  document.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const links = [...list.querySelectorAll("a")];
    const at = links.indexOf(document.activeElement);
    if (!step || (at < 0 && document.activeElement !== box)) return;
    event.preventDefault();
    (links[at + step] ?? (at + step < 0 ? box : document.activeElement)).focus();
  });
}
