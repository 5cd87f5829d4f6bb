// Movement: pieces glide from where they were to where they are, cards turn over, dice tumble.

import { h, prefersStill } from "./dom.js";
import { pieceSvg } from "./pieces.js";

const MOST = 14;

export class Motion {
  constructor(view) {
    this.view = view;
  }

  // Where everything is before a new scene is drawn.
  remember() {
    if (prefersStill()) return null;
    const places = new Map();
    for (const element of this.view.root.querySelectorAll("[data-id]")) places.set(element.dataset.id, element.getBoundingClientRect());
    return places;
  }

  show(happenings, before) {
    const moves = happenings.filter((each) => each.sort === "moved" && (each.pieces || []).length).slice(-MOST);
    if (document.hidden) return;
    const now = new Map();
    for (const element of this.view.root.querySelectorAll("[data-id]")) now.set(element.dataset.id, element.getBoundingClientRect());
    moves.forEach((each, n) => {
      const from = this.rectangle(before, each.source), to = this.rectangle(now, each.target);
      if (!from || !to || (from.x === to.x && from.y === to.y)) return;
      each.pieces.slice(0, 5).forEach((piece, k) => this.glide(piece, from, to, n * 70 + k * 50, this.turns(piece, each.source)));
    });
  }

  // A card that comes from where nobody could see it turns over on its way.
  turns(piece, source) {
    if (piece.known === false || (piece.shape !== "card" && piece.shape !== "tile")) return false;
    const place = this.view.stage.places.find((each) => each.id === source);
    if (!place) return false;
    return place.sight === "hidden" || (place.sight === "private" && place.owner !== this.view.scene.seat);
  }

  rectangle(places, id) {
    if (places.has(id)) return places.get(id);
    const place = this.view.stage.places.find((each) => each.id === id);
    if (place && place.owner) return places.get(`Player(${place.owner})`);
    return undefined;
  }

  glide(piece, from, to, delay, turning = false) {
    const size = Math.max(34, Math.min(90, to.height * 0.9, 90));
    const ghost = h("div", { class: "ghost", "aria-hidden": "true" }, pieceSvg(piece, this.view.facts(piece), size));
    document.body.append(ghost);
    const box = ghost.getBoundingClientRect();
    const at = (rect) => `translate(${rect.x + rect.width / 2 - box.width / 2}px, ${rect.y + rect.height / 2 - box.height / 2}px)`;
    const shown = ghost.firstElementChild;
    if (turning) {
      const back = pieceSvg({ ...piece, known: false, label: "", symbols: [], letters: "", stats: [], colour: undefined }, [], size);
      shown.replaceWith(back);
      back.animate([{ scale: "1 1" }, { scale: "0 1" }], { duration: 200, delay, fill: "both" }).finished.then(() => {
        back.replaceWith(shown);
        shown.animate([{ scale: "0 1" }, { scale: "1 1" }], { duration: 200 });
      });
    }
    ghost.animate([
      { transform: `${at(from)} scale(0.9)`, opacity: 0.9 },
      { transform: `${at(to)} scale(1.06)`, opacity: 1, offset: 0.85 },
      { transform: `${at(to)} scale(1)`, opacity: 0 },
    ], { duration: 620, delay, easing: "cubic-bezier(.3,.7,.3,1)", fill: "both" }).finished.finally(() => ghost.remove());
  }

  roll(happening) {
    const stat = happening.stat;
    const dice = stat && stat.number >= 1 && stat.number <= 6;
    const show = h("div", { class: "rolled", "aria-hidden": "true" }, dice
      ? pieceSvg({ kind: "", label: "", shape: "die", colour: "white", stats: [{ number: stat.number }] }, [], 80)
      : h("span", {}, happening.text));
    document.body.append(show);
    const frames = prefersStill() ? [{ opacity: 1 }, { opacity: 1, offset: 0.9 }, { opacity: 0 }] : [
      { transform: "translate(-50%, -160%) rotate(-220deg)", opacity: 0 },
      { transform: "translate(-50%, -50%) rotate(0deg)", opacity: 1, offset: 0.35 },
      { transform: "translate(-50%, -50%) rotate(0deg)", opacity: 1, offset: 0.85 },
      { transform: "translate(-50%, -50%)", opacity: 0 },
    ];
    show.animate(frames, { duration: 1500, easing: "ease-out" }).finished.finally(() => show.remove());
  }

  shake(element) {
    element.animate([{ translate: "0" }, { translate: "4px" }, { translate: "-4px" }, { translate: "0" }], { duration: 220 });
  }
}
