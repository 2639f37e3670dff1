// The search of the docs tool runs in a worker, which a page from a disk cannot start: there, a frame stands for it. The
// tool finds what has every word of a query. Here, small words and the ends of others do not count, what has some of the
// words follows if few have all, a word of the page Words leads to its meaning first, and what proves rules comes last.
"use strict";
{
  const SMALL = new Set(("a an and any are as at be been by can could did do does for from had has have how i if in into is it its may me " +
    "might must my no not of on or our shall should so some than that the their them then there these they this to was we were what when " +
    "where which who whose why will with would you your").split(" "));
  const WORD = /(?:[^\s\-_,:;!?=[\]()\\"`/.]|\.(?=\d))+/g;
  const ENDING = /(?<=.{4})(?:ied|ies|ed|es|ing|s)$/i;
  const words = (text) => {
    const all = [...text.matchAll(WORD)], large = all.filter(([word]) => !SMALL.has(word.toLowerCase()));
    return (large.length ? large : all).map(({ 0: word, index }, value) => ({
      type: "value",
      data: {
        field: "*",
        value: { type: "prefix", data: word.replace(ENDING, "") },
        range: { start: index, end: index + word.length, value },
      },
    }));
  };
  const FEW = 3;
  const RealWorker = window.Worker;
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.waiting = 0;
      if (location.protocol !== "file:") {
        this.worker = new RealWorker(url);
        this.worker.onmessage = ({ data }) => this.receive(data);
        this.worker.onerror = (event) => this.onerror?.(event);
        return;
      }
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.frame.title = "Search";
      this.ready = new Promise((done, failed) => {
        this.frame.addEventListener("load", () => {
          const inner = this.frame.contentWindow;
          inner.postMessage = (data) => setTimeout(() => this.receive(data));
          const script = inner.document.createElement("script");
          script.src = new URL(url, location.href).href;
          script.onload = () => done(inner);
          script.onerror = failed;
          inner.document.head.append(script);
        }, { once: true });
      });
      document.body.append(this.frame);
    }
    postMessage(message) {
      const { items, input } = message.data;
      if (items) {
        this.words = new Map(items.map(({ location, title }, id) => [/\bwords\.html#/.test(location) && title.toLowerCase(), id]));
        this.proofs = new Set(items.flatMap(({ location }, id) => (/^(mutants|versions|decisions)\b|#VARIANT-/.test(location) ? [id] : [])));
      }
      if (input === undefined) return this.send(message);
      this.query = message;
      this.found = [];
      this.ask("and");
    }
    ask(operator) {
      const operands = words(this.query.data.input), data = { ...this.query.data };
      if (operands.length) data.input = { type: "operator", data: { operator, operands } };
      this.operator = operands.length > 1 ? operator : "or";
      this.waiting += 1;
      this.send({ ...this.query, data });
    }
    send(message) {
      if (this.worker) this.worker.postMessage(message);
      else this.ready.then((inner) => inner.onmessage({ data: inner.structuredClone(message) }));
    }
    receive(message) {
      if (message.type !== 3) return this.onmessage?.({ data: message });
      this.waiting -= 1;
      const { items, pagination } = message.data;
      if (!this.waiting && items.length < FEW && this.operator === "and") {
        this.found = items;
        return this.ask("or");
      }
      if (!pagination.prev) {
        const word = this.words.get(this.query.data.input.trim().toLowerCase());
        const first = word === undefined ? this.found : [{ id: word, matches: [] }];
        message.data.items = [...first, ...items.filter(({ id }) => first.every((one) => one.id !== id))];
      }
      message.data.items.sort((one, other) => this.proofs.has(one.id) - this.proofs.has(other.id));
      this.onmessage?.({ data: message });
    }
    terminate() { this.frame?.remove(); this.worker?.terminate(); }
  };
}
