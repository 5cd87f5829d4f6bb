// Movement: pieces glide from where they were to where they are, what is turned over turns, dice roll.
// Who would rather have it still gets the new table at once.

import { h, prefersStill } from "./dom.js";
import { pieceSvg } from "./pieces.js";

const MOST = 14;
const TURN = 200;
const TUMBLE = 640, FACES = 6;

// What one sees of a piece: when that is another, the piece has been turned over.
function face(piece) {
  return JSON.stringify([piece.known !== false, piece.label, piece.colour, piece.symbols, piece.owner]);
}

function centre(rectangle, box) {
  return `translate(${rectangle.x + rectangle.width / 2 - box.width / 2}px, ${rectangle.y + rectangle.height / 2 - box.height / 2}px)`;
}

export class Motion {
  constructor(view) {
    this.view = view;
  }

  // Where everything is, and how it looks, before a new scene is drawn.
  remember() {
    return prefersStill() ? null : { places: this.places(), pieces: this.pieces() };
  }

  places() {
    const found = new Map();
    for (const element of this.view.root.querySelectorAll("[data-id]")) found.set(element.dataset.id, element.getBoundingClientRect());
    return found;
  }

  pieces() {
    const found = new Map();
    for (const [place, held] of this.view.held || []) {
      for (const piece of held.pieces || []) found.set(piece.id, { piece, place, count: (held.pieces || []).length });
    }
    return found;
  }

  show(happenings, before) {
    if (document.hidden) return;
    const all = happenings.filter((each) => each.sort === "moved" && (each.pieces || []).length);
    const now = this.places();
    all.slice(-MOST).forEach((each, n) => {
      const from = this.rectangle(before.places, each.source), to = this.rectangle(now, each.target);
      if (!from || !to || (from.x === to.x && from.y === to.y)) return;
      each.pieces.slice(0, 5).forEach((piece, k) => this.glide(piece, from, to, n * 70 + k * 50, this.comesOpen(piece, each.source)));
    });
    this.turn(before.pieces, new Set(all.flatMap((each) => [each.source, each.target])));
  }

  // A card that comes from where nobody could see it turns over on its way.
  comesOpen(piece, source) {
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

  back(piece, size) {
    return pieceSvg({ ...piece, known: false, label: "", symbols: [], letters: "", stats: [], colour: undefined }, [], size);
  }

  ghost(content) {
    const ghost = h("div", { class: "ghost", "aria-hidden": "true" }, content);
    document.body.append(ghost);
    return ghost;
  }

  glide(piece, from, to, delay, turning) {
    const size = Math.max(34, Math.min(90, to.height * 0.9));
    this.view.adorn(piece);
    const ghost = this.ghost(pieceSvg(piece, this.view.facts(piece), size));
    const box = ghost.getBoundingClientRect();
    const shown = ghost.firstElementChild;
    if (turning) {
      const back = this.back(piece, size);
      shown.replaceWith(back);
      back.animate([{ scale: "1 1" }, { scale: "0 1" }], { duration: TURN, delay, fill: "both" }).finished.then(() => {
        back.replaceWith(shown);
        shown.animate([{ scale: "0 1" }, { scale: "1 1" }], { duration: TURN });
      });
    }
    ghost.animate([
      { transform: `${centre(from, box)} scale(0.9)`, opacity: 0.9 },
      { transform: `${centre(to, box)} scale(1.06)`, opacity: 1, offset: 0.85 },
      { transform: `${centre(to, box)} scale(1)`, opacity: 0 },
    ], { duration: 620, delay, easing: "cubic-bezier(.3,.7,.3,1)", fill: "both" }).finished.finally(() => ghost.remove());
  }

  // Pieces that stayed where they were and show another side: a card that is revealed, a disc that
  // changes hands. The old side narrows, then the new one widens.
  turn(before, moved) {
    let number = 0;
    for (const [id, { piece, place, count }] of this.pieces()) {
      const old = before.get(id);
      if (!old || moved.has(place) || old.count !== count || piece.shape === "die" || face(old.piece) === face(piece)) continue;
      const drawn = this.drawn(id);
      if (!drawn) continue;
      this.flip(drawn, old.piece, number * 60);
      number += 1;
      if (number === MOST) return;
    }
  }

  drawn(id) {
    return this.view.root.querySelector(`[data-piece="${CSS.escape(id)}"] .piece`);
  }

  flip(drawn, old, delay) {
    const box = drawn.getBoundingClientRect();
    const ghost = this.ghost(old.known === false ? this.back(old, 88) : pieceSvg(old, this.view.facts(old), 88));
    const svg = ghost.firstElementChild;
    svg.setAttribute("width", box.width);
    svg.setAttribute("height", box.height);
    ghost.style.transform = `translate(${box.x}px, ${box.y}px)`;
    drawn.classList.add("turning");
    svg.animate([{ scale: "1 1" }, { scale: "0 1" }], { duration: TURN, delay, fill: "both", easing: "ease-in" }).finished.finally(() => ghost.remove());
    drawn.animate([{ scale: "0 1" }, { scale: "1 1" }], { duration: TURN, delay: delay + TURN, fill: "backwards", easing: "ease-out" }).finished.finally(() => drawn.classList.remove("turning"));
  }

  // Dice on the table roll where they lie; what has none there is shown above it for a moment.
  roll(happenings) {
    const rolls = happenings.filter((each) => each.sort === "rolled" && each.stat);
    if (!rolls.length || document.hidden) return;
    const kinds = new Set(rolls.map((each) => each.stat.key.split(".")[0]));
    const dice = [...this.pieces()].filter(([, { piece }]) => piece.shape === "die" && kinds.has(piece.kind));
    if (dice.length) {
      if (!prefersStill()) for (const [id, { piece }] of dice) this.tumble(id, piece);
      return;
    }
    this.tell(rolls.slice(-6));
  }

  tumble(id, piece) {
    const drawn = this.drawn(id);
    if (!drawn) return;
    const box = drawn.getBoundingClientRect();
    const ghost = this.ghost(null);
    ghost.style.transform = `translate(${box.x}px, ${box.y}px)`;
    const face = () => {
      const svg = pieceSvg({ ...piece, symbols: [], stats: [{ number: 1 + Math.floor(Math.random() * 6) }] }, [], 88);
      svg.setAttribute("width", box.width);
      svg.setAttribute("height", box.height);
      ghost.replaceChildren(svg);
    };
    face();
    drawn.classList.add("rolling");
    const timer = setInterval(face, TUMBLE / FACES);
    ghost.animate([{ rotate: "0deg", translate: "0 0" }, { rotate: "320deg", translate: "0 -26px", offset: 0.45 }, { rotate: "720deg", translate: "0 0" }], { duration: TUMBLE, easing: "ease-out" })
      .finished.finally(() => { clearInterval(timer); ghost.remove(); drawn.classList.remove("rolling"); });
  }

  tell(rolls) {
    document.querySelector(".rolled")?.remove();
    const pips = rolls.every(({ stat }) => stat.number >= 1 && stat.number <= 6);
    const show = h("div", { class: "rolled", "aria-hidden": "true" }, pips
      ? rolls.map(({ stat }) => pieceSvg({ kind: "", label: "", shape: "die", colour: "white", stats: [{ number: stat.number }] }, [], 72))
      : h("span", {}, rolls[rolls.length - 1].text));
    document.body.append(show);
    const frames = prefersStill() ? [{ opacity: 1 }, { opacity: 1, offset: 0.9 }, { opacity: 0 }] : [
      { transform: "translate(-50%, -160%) rotate(-220deg)", opacity: 0 },
      { transform: "translate(-50%, -50%) rotate(0deg)", opacity: 1, offset: 0.35 },
      { transform: "translate(-50%, -50%) rotate(0deg)", opacity: 1, offset: 0.85 },
      { transform: "translate(-50%, -50%)", opacity: 0 },
    ];
    show.animate(frames, { duration: 1400, easing: "ease-out" }).finished.finally(() => show.remove());
  }

  shake(element) {
    element.animate([{ translate: "0" }, { translate: "4px" }, { translate: "-4px" }, { translate: "0" }], { duration: 220 });
  }
}
