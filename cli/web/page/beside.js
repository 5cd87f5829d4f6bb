// What lies on no board: places beside it, the players with all that is theirs, and one's own hand.

import { h } from "./dom.js";
import { badge } from "./boards.js";
import { describePiece, grouped, oneOfEach, pieceSvg, SIZES } from "./pieces.js";
import { progressBar, progressText } from "./standing.js";

const TRAY = 66, BELONGING = 48, HAND = 100;
const MANY_PIECES = 40;

export class Beside {
  constructor(view) {
    this.view = view;
  }

  trays() {
    const { view } = this;
    const places = view.stage.places.filter((place) => !place.board && !place.host && !place.owner && place.shape !== "cover");
    if (!places.length) return null;
    const tray = h("section", { class: "trays", "aria-label": view.say("beside") }, places.map((place) => this.tray(place, TRAY)));
    view.roving(tray);
    return tray;
  }

  tray(place, height, title) {
    const { view } = this;
    const held = view.contents(place.id);
    const empty = !held.pieces.length && !held.secret;
    const name = title ?? this.title(place);
    const box = h("div", { class: `tray ${empty ? "empty" : ""} ${place.stack ? "stack" : ""} ${place.colour ? `g-${place.colour}` : ""}` },
      name ? h("span", { class: "tray-name" }, place.symbol ? `${place.symbol} ${name}` : name) : null);
    const row = h("div", { class: "tray-pieces" });
    const deck = place.stack && held.pieces.length > 1 && !oneOfEach(held.pieces);
    const loose = held.pieces.filter((piece) => !(piece.covers || []).length);
    const shown = deck ? [held.pieces.slice(-1)] : grouped(loose);
    for (const same of shown.slice(0, MANY_PIECES)) row.append(this.single(same, place, height, deck ? held.pieces.length : same.length));
    if (held.secret) row.append(h("span", { class: "secret" }, "?"));
    if (empty) row.append(h("span", { class: "nothing", "aria-hidden": "true" }, "–"));
    box.append(row, ...held.stats.map((stat) => this.stat(stat)));
    view.mark(box, place.id, view.describe(place, held));
    return box;
  }

  // Of the piles of a kind, what tells them apart.
  title(place) {
    const { name, rest } = place;
    return rest && !/^\d+$/.test(rest) && place.label === `${name} (${rest})` ? rest : place.label;
  }

  single(same, place, height, count) {
    const { view } = this;
    const piece = same[same.length - 1];
    const svg = pieceSvg(piece, view.facts(piece), height);
    if (count > 1) {
      const [wide, high] = SIZES[piece.shape] || [64, 64];
      svg.append(badge(count, wide, high));
      svg.classList.add("several");
    }
    const element = h("span", { class: "one", title: this.tip(piece) }, svg);
    for (const each of same) view.carry(element, each, place.id);
    return element;
  }

  tip(piece) {
    if (piece.known === false) return piece.label;
    const facts = this.view.facts(piece).map((fact) => `${fact.label}: ${fact.text}`);
    return [describePiece(piece, this.view.scene.seats), ...facts].join("\n");
  }

  stat(stat) {
    const parts = [h("span", { class: "stat-name" }, stat.symbol && stat.number !== undefined ? `${stat.symbol} ${stat.label}` : stat.label)];
    if (!stat.flag) {
      const of = stat.high !== undefined && stat.high !== null && stat.high <= 30 && stat.number !== undefined ? ` / ${stat.high}` : "";
      parts.push(h("span", { class: "stat-value" }, (stat.symbol && stat.number === undefined ? `${stat.symbol} ` : "") + stat.text + of));
    }
    return h("span", { class: `stat ${stat.colour ? `c-${stat.colour}` : ""}` }, parts);
  }

  seats() {
    const { view } = this;
    const stats = (view.scene.stats || []).map((stat) => this.stat(stat));
    const section = h("section", { class: "seats", "aria-label": view.say("players") },
      stats.length ? h("div", { class: "game-stats" }, stats) : null, view.scene.seats.map((seat) => this.seat(seat)));
    view.roving(section);
    return section;
  }

  seat(seat) {
    const { view } = this;
    const owned = view.stage.places.filter((place) => place.owner === seat.number && !place.board && !this.isOwnHand(place));
    const who = view.sitting && view.sitting[seat.number - 1];
    const classes = ["seat", `c-${seat.colour}`, seat.asked ? "asked" : "", seat.out ? "out" : "", seat.you ? "you" : ""];
    const name = h("header", {},
      h("span", { class: "sign", "aria-hidden": "true" }, seat.symbol),
      h("strong", {}, seat.label),
      seat.you ? h("span", { class: "tag" }, view.say("you")) : null,
      !seat.you && who && who !== "human" ? h("span", { class: "tag quiet" }, view.say(`as ${who}`)) : null);
    const panel = h("article", { class: classes.join(" ") }, name, seat.progress ? progressBar(seat.progress, view.say) : null,
      h("div", { class: "stats" }, (seat.stats || []).map((stat) => this.stat(stat))),
      h("div", { class: "belongings" }, owned.map((place) => this.tray(place, BELONGING, place.rest ? `${place.name} (${place.rest})` : place.name))));
    const told = [seat.label, seat.you ? view.say("you") : "", seat.asked ? view.say("waiting", { who: "" }).trim() : ""].filter(Boolean).join(" ");
    view.mark(name, seat.id, seat.progress ? `${told}, ${progressText(seat.progress, view.say)}` : told);
    return panel;
  }

  isOwnHand(place) {
    return place.owner === this.view.scene.seat && place.sight === "private";
  }

  // One's own hand, at the lower edge of the window.
  fillHand(area) {
    const { view } = this;
    const places = view.stage.places.filter((place) => place.owner && this.isOwnHand(place));
    area.hidden = !places.some((place) => view.contents(place.id).pieces.length);
    const kept = places.filter((place) => view.contents(place.id).pieces.length || places.length === 1);
    area.replaceChildren(...kept.map((place) => {
      const held = view.contents(place.id);
      const hand = h("div", { class: "hand" }, h("h2", {}, place.rest ? `${place.name} (${place.rest})` : place.name));
      const row = h("div", { class: "hand-pieces" });
      for (const piece of held.pieces) {
        const one = this.single([piece], place, HAND, 1);
        one.setAttribute("role", "button");
        one.setAttribute("tabindex", "-1");
        one.setAttribute("aria-label", describePiece(piece, view.scene.seats));
        one.dataset.id = piece.id;
        row.append(one);
      }
      if (!held.pieces.length) row.append(h("span", { class: "nothing" }, view.say("empty")));
      hand.append(row);
      hand.dataset.id = place.id;
      view.chains.set(hand, [place.id]);
      view.roving(hand);
      return hand;
    }));
  }
}
