"use strict";
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.frame.title = "Search";
      this.ready = new Promise((done, failed) => {
        this.frame.addEventListener("load", () => {
          const inner = this.frame.contentWindow;
          inner.postMessage = (data) => setTimeout(() => this.onmessage?.({ data }));
          const script = inner.document.createElement("script");
          script.src = new URL(url, location.href).href;
          script.onload = () => done(inner);
          script.onerror = failed;
          inner.document.head.append(script);
        }, { once: true });
      });
      document.body.append(this.frame);
    }
    postMessage(data) { this.ready.then((inner) => inner.onmessage({ data: inner.structuredClone(data) })); }
    terminate() { this.frame.remove(); }
  };
}
