// What lies over the table for a while: short messages, and sheets to read.

import { h } from "./dom.js";

let shown = null;

export function toast(content, sort) {
  shown?.remove();
  const box = h("div", { class: `toast ${sort || ""}`, role: sort === "problem" || sort === "why" ? "alert" : "status" }, content);
  shown = box;
  document.body.append(box);
  setTimeout(() => box.remove(), sort ? 9000 : 2500);
  box.addEventListener("click", () => box.remove());
}

export function sheet(title, close, content) {
  const dialog = h("dialog", { class: "sheet", "aria-label": title },
    h("header", {}, h("h2", {}, title), h("button", { type: "button", onclick: () => dialog.close() }, close)),
    h("div", { class: "sheet-body", tabindex: "0" }, content));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
