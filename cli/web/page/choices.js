// What is asked, with all that can be chosen, and what has happened so far.

import { h } from "./dom.js";
import { sought } from "./picking.js";
import { endingView } from "./standing.js";

const MANY_OPTIONS = 60;
const MOST_SHOWN = 240;
const LOG_SHOWN = 160;

export class Choices {
  constructor(view) {
    this.view = view;
    this.filter = "";
    this.open = false;
  }

  // Another decision: whatever was sought or unfolded belongs to the one before.
  begin() {
    this.filter = "";
    this.open = false;
  }

  fill(panel) {
    panel.replaceChildren(...[this.question(), this.log()].filter(Boolean));
    const log = panel.querySelector(".log");
    log.scrollTop = log.scrollHeight;
    this.measure();
  }

  question() {
    const { scene, say, sitting } = this.view;
    this.list = null;
    if (scene.ending) return endingView(scene, say, this.view.extras.again);
    if (scene.ask) return this.asking(scene.ask);
    const asked = scene.seats.find((seat) => seat.asked);
    if (!asked) return null;
    const computer = sitting && sitting[asked.number - 1] !== "human";
    return h("section", { class: "ask idle", id: "choices" }, h("h2", {}, say(computer ? "thinking" : "waiting", { who: asked.label })),
      scene.prompt ? h("p", { class: "quiet" }, scene.prompt) : null, scene.seat ? null : h("p", { class: "quiet" }, say("spectator")));
  }

  asking(ask) {
    const { say } = this.view;
    this.list = h("div", { class: "options" });
    this.next = h("p", { class: "quiet next" });
    // On a small screen the list is folded until it is wanted: the board has the room.
    this.more = h("button", { type: "button", class: "more", "aria-controls": "options", onclick: () => this.unfold() });
    this.list.id = "options";
    const find = ask.options.length > MANY_OPTIONS ? h("input", {
      class: "find", type: "search", "aria-label": say("search"), placeholder: `${say("search")} (${ask.options.length})`,
      oninput: (event) => { this.filter = event.target.value.toLowerCase(); this.draw(); },
    }) : null;
    this.section = h("section", { class: "ask", id: "choices", tabindex: "-1" },
      h("div", { class: "question" }, h("h2", {}, ask.prompt || say("yours")), this.more),
      (ask.picked || []).length ? h("p", {}, say("picked") + ask.picked.map((part) => part.label).join(", ")) : null,
      this.next, find, this.list);
    this.draw();
    new ResizeObserver(() => this.measure()).observe(this.list);
    return this.section;
  }

  unfold() {
    this.open = !this.open;
    this.measure();
  }

  // Whether there is more to choose from than a folded list shows.
  measure() {
    if (!this.list) return;
    const { say } = this.view;
    this.section.classList.remove("open");
    this.section.classList.toggle("long", this.list.scrollHeight > this.list.clientHeight + 6);
    this.section.classList.toggle("open", this.open);
    this.more.setAttribute("aria-expanded", String(this.open));
    this.more.textContent = this.open ? say("fewer") : say("allChoices", { n: this.view.picking ? this.view.picking.left.length : 0 });
  }

  draw() {
    const { picking, say, glow } = this.view;
    const words = this.filter.split(/\s+/).filter(Boolean);
    const fitting = picking.left.filter((option) => words.every((word) => sought(option).includes(word)));
    const groups = new Map();
    for (const option of fitting.slice(0, MOST_SHOWN)) {
      // Where the action's own words name everything, there is nothing to put under them.
      const head = option.parts.length > 1 && option.label !== option.parts[0].label ? option.parts[0].label : "";
      if (!groups.has(head)) groups.set(head, []);
      groups.get(head).push(option);
    }
    this.list.replaceChildren(...[...groups].map(([head, options]) => h("div", { class: "group", role: "group", "aria-label": head || say("choices") },
      head ? h("h3", {}, head) : null,
      h("div", { class: "buttons" }, options.map((option) => this.button(option, head))))));
    const picked = picking.picked.length;
    this.next.textContent = picked || glow.size ? say("pick") : "";
    if (picked) this.next.append(" ", h("button", { type: "button", class: "link", onclick: () => this.view.clear() }, say("clear")));
  }

  button(option, head) {
    const notes = option.parts.map((part) => part.note).filter(Boolean).join(", ");
    const parts = head ? option.parts.slice(1) : [{ label: option.label, note: notes }];
    const touched = option.parts.flatMap((part) => part.touches || []);
    const preview = (on) => () => this.view.preview(touched, on);
    return h("button", {
      type: "button", class: "option", data: { option: option.number }, onclick: () => this.view.choose(option),
      onmouseenter: preview(true), onmouseleave: preview(false), onfocus: preview(true), onblur: preview(false),
    }, parts.map((part, n) => [n ? " · " : null, part.label, part.note ? h("span", { class: "about" }, ` (${part.note})`) : null]));
  }

  log() {
    const { told, say } = this.view;
    const lines = told.filter((each) => each.text).slice(-LOG_SHOWN);
    return h("section", { class: "logbook", "aria-label": say("log") }, h("h2", {}, say("log")),
      h("div", { class: "log", tabindex: "0", role: "region", "aria-label": say("log") },
        lines.map((each) => h("p", { class: each.headline ? "headline" : "detail" }, each.text,
          (each.cites || []).length ? h("span", { class: "cite" }, ` ${each.cites.map((rule) => `§${rule}`).join(" ")}`) : null))));
  }
}
