// The lobby: pick a game, say who sits where, and get a link for every seat.

import { h } from "./dom.js";
import { icon } from "./icons.js";
import { say, LANGUAGES, remember } from "./phrases.js";
import { toast } from "./sheets.js";

export const COMPUTERS = ["easy", "medium", "hard", "random"];

export class Lobby {
  // `source` knows the games: list(), details(id), create(wish).
  constructor(root, source, language, extras) {
    this.root = root;
    this.source = source;
    this.language = language;
    this.extras = extras || {};
    this.list();
  }

  say(name, parts) {
    return say(this.language, name, parts);
  }

  head(title, back) {
    const chooser = h("select", { class: "tool", "aria-label": this.say("language"), onchange: (event) => { this.language = event.target.value; remember("language", this.language); document.documentElement.lang = this.language; this.again(); } },
      Object.entries(LANGUAGES).map(([code, name]) => h("option", { value: code, selected: code === this.language }, name)));
    return h("header", { class: "top" }, h("h1", {}, title), h("nav", { class: "tools" },
      this.extras.playground ? h("a", { class: "tool", href: this.extras.playground }, icon("write"), h("span", { class: "word" }, this.say("playground"))) : null,
      chooser,
      back ? h("button", { class: "tool", type: "button", onclick: back }, this.say("back")) : null));
  }

  async list() {
    this.again = () => this.list();
    const games = await this.source.list();
    document.title = "ruledsl";
    document.documentElement.lang = this.language;
    const title = (game) => game.titles[this.language] || game.titles.en;
    const aim = (game) => (game.aims || {})[this.language] || (game.aims || {}).en;
    const collections = new Map();
    for (const game of games.filter((each) => !each.variantOf)) {
      if (!collections.has(game.collection)) collections.set(game.collection, []);
      collections.get(game.collection).push(game);
    }
    const order = [...collections].sort(([a], [b]) => (a === "hamelin" ? -1 : b === "hamelin" ? 1 : a < b ? -1 : 1));
    this.root.replaceChildren(this.head(this.say("lobby")), h("main", { class: "lobby" }, order.map(([name, list]) => h("section", {},
      h("h2", {}, this.say(name) || name),
      h("div", { class: "games" }, list.sort((a, b) => (title(a) < title(b) ? -1 : 1)).map((game) => {
        const variants = games.filter((each) => each.variantOf === game.id).length;
        return h("button", { type: "button", class: "game", data: { game: game.id }, onclick: () => this.game(game.id) },
          h("span", { class: "game-name" }, title(game)),
          game.players ? h("span", { class: "quiet" }, this.say("forPlayers", { n: game.players })) : null,
          variants ? h("span", { class: "quiet" }, this.say(variants > 1 ? "moreVariants" : "oneVariant", { n: variants })) : null,
          aim(game) ? h("span", { class: "game-aim" }, aim(game)) : null);
      }))))));
  }

  async game(id, variant) {
    this.again = () => this.game(id, variant);
    const games = await this.source.list();
    let details;
    try { details = await this.source.details(variant || id); } catch (error) { toast(String(error.message), "problem"); return; }
    const variants = [games.find((each) => each.id === id), ...this.variantsOf(games, id)].filter(Boolean);
    const language = this.language;
    this.players ??= this.extras.players;
    let players = this.players && details.players.includes(this.players) ? this.players : details.usual;
    const seats = h("div", { class: "who" });
    const drawSeats = () => {
      const kinds = ["human", ...COMPUTERS];
      seats.replaceChildren(...Array.from({ length: players }, (_, n) => h("label", {}, `${this.say("seat")} ${n + 1}`,
        h("select", { data: { seat: n + 1 } }, kinds.map((kind) => h("option", { value: kind, selected: n === 0 ? kind === "human" : kind === "medium" }, this.say(kind)))))));
    };
    drawSeats();
    const options = details.options.map((option) => {
      const labels = option.labels[language] || option.labels.en;
      return h("label", {}, labels.title, h("select", { data: { option: option.id } }, option.values.map((value, n) => h("option", { value, selected: value === option.default }, labels.values[n]))));
    });
    const start = h("button", { type: "button", class: "big start", onclick: () => this.start(id, variant, details) }, this.say("start"));
    this.root.replaceChildren(this.head(details.titles[language] || details.titles.en, this.extras.single ? null : () => this.list()), h("main", { class: "setup" },
      variants.length > 1 ? h("label", {}, this.say("variant"), h("select", { data: { variant: "1" }, onchange: (event) => this.game(id, event.target.value === id ? undefined : event.target.value) },
        variants.map((each) => h("option", { value: each.id, selected: each.id === (variant || id) }, each.id === id ? this.say("basic") : each.titles[language] || each.titles.en)))) : null,
      h("label", {}, this.say("players"), h("select", { data: { players: "1" }, onchange: (event) => { players = this.players = Number(event.target.value); drawSeats(); } },
        details.players.map((number) => h("option", { value: number, selected: number === players }, number)))),
      h("fieldset", {}, h("legend", {}, this.say("whoSits")), seats),
      options.length ? h("fieldset", {}, h("legend", {}, this.say("option")), options) : null,
      start));
    start.focus();
  }

  variantsOf(games, id) {
    const direct = games.filter((each) => each.variantOf === id);
    return direct.flatMap((each) => [each, ...this.variantsOf(games, each.id)]).filter((each, n, all) => all.indexOf(each) === n);
  }

  async start(id, variant) {
    const seats = [...this.root.querySelectorAll("[data-seat]")].map((select) => select.value);
    const options = Object.fromEntries([...this.root.querySelectorAll("[data-option]")].map((select) => [select.dataset.option, select.value]));
    let made;
    try {
      made = await this.source.create({ game: variant || id, seats, options, language: this.language });
    } catch (error) { toast(String(error.message), "problem"); return; }
    if (made) this.links(made);
  }

  links(made) {
    const seats = Object.entries(made.seats);
    const address = (secret) => `${location.origin}/table/${made.table}${secret ? `#${secret}` : ""}`;
    if (seats.length === 1) { location.href = address(seats[0][1]); return; }
    const line = (label, link, sit) => h("li", {}, h("strong", {}, label), h("input", { type: "text", readonly: true, value: link, "aria-label": label, onfocus: (event) => event.target.select() }),
      h("button", { type: "button", onclick: async (event) => { await navigator.clipboard?.writeText(link); event.target.textContent = this.say("copied"); } }, this.say("copy")),
      sit ? h("a", { class: "button", href: link }, this.say("openSeat")) : null);
    this.root.replaceChildren(this.head(this.say("links"), () => this.list()), h("main", { class: "setup links" }, h("p", {}, this.say("linksHint")),
      h("ul", {}, seats.map(([seat, secret]) => line(this.say("seatLink", { n: seat }), address(secret), true)), line(this.say("watch"), address(""), false))));
  }
}

async function asked(response) {
  const data = await response.json();
  if (!response.ok) throw new Error(data.problem || response.statusText);
  return data;
}

function posted(address, wish) {
  return fetch(address, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(wish) });
}

export class ServerSource {
  async list() {
    this.games ??= await asked(await fetch("/api/games"));
    return this.games;
  }

  async details(id) {
    return asked(await fetch(`/api/games/${encodeURIComponent(id)}`));
  }

  async create(wish) {
    return asked(await posted("/api/tables", wish));
  }

  async check(rules) {
    return asked(await posted("/api/check", { rules }));
  }

  async test(rules) {
    return asked(await posted("/api/test", { rules }));
  }

  async simulate(rules, players) {
    return asked(await posted("/api/simulate", { rules, players }));
  }

  async rules(id) {
    return (await asked(await fetch(`/api/source/${encodeURIComponent(id)}`))).rules;
  }
}
