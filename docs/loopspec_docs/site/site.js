// What scrolls sideways can be scrolled with the keyboard, and says what it is.
"use strict";
{
  const mark = () => {
    for (const node of document.querySelectorAll(".scrolls")) {
      const wide = node.scrollWidth > node.clientWidth;
      for (const [name, value] of [["tabindex", "0"], ["role", "group"], ["aria-label", node.dataset.label]]) {
        if (wide) node.setAttribute(name, value);
        else node.removeAttribute(name);
      }
    }
  };
  mark();
  addEventListener("resize", mark);
  // Everything in print: what is folded is opened, and folded again.
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open])")];
    for (const node of opened) node.open = true;
  });
  addEventListener("afterprint", () => {
    for (const node of opened) node.open = false;
  });
}
