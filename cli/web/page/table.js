// The table of one seat: draws scenes, turns pointing into choices, and says what happened.

import { h, s, prefersStill } from "./dom.js";
import { say, LANGUAGES, remember } from "./phrases.js";
import { BoardView, badge } from "./boards.js";
import { describePiece, drawPiece, grouped, pieceSvg, SIZES, oneOfEach } from "./pieces.js";
import { Picking, sought } from "./picking.js";
import { Motion } from "./motion.js";
import { sheet, toast } from "./sheets.js";
import { endingLines, endingView, progressBar, progressText } from "./standing.js";

const LOG_LINES = 400;
const MANY_OPTIONS = 60;

export class TableView {
  constructor(root, link, language, extras) {
    this.root = root;
    this.link = link;
    this.language = language;
    this.say = (name, parts) => say(this.language, name, parts);
    this.extras = extras || {};
    this.stage = null;
    this.scene = null;
    this.picking = null;
    this.told = [];
    this.chains = new WeakMap();
    this.past = null;
    this.motion = new Motion(this);
    this.filter = "";
    link.onmessage = (message) => this.receive(message);
    link.onstate = (state) => this.connection(state);
    this.frame();
    document.addEventListener("keydown", (event) => this.key(event));
  }

  // ------------------------------------------------------------ messages

  receive(message) {
    if (message.stage) {
      this.stage = message.stage;
      // What is as usual is not sent.
      for (const place of this.stage.places) { place.x ??= 0; place.y ??= 0; place.holds ??= []; }
      this.sitting = message.sitting;
      this.languages = message.languages;
      this.facts_ = new Map(this.stage.bodies.map((body) => [`${body.kind}/${body.label}`, body.facts || []]));
      document.title = this.stage.title;
      document.documentElement.lang = this.language;
      this.frame();
    }
    if (message.scene) this.look(message);
    if (message.past) this.lookBack(message);
    if (message.why) this.tellWhy(message.why);
    if (message.hint) this.tellHint(message.hint);
    if (message.rules) this.showRules(message.rules);
    if (message.problem) toast(this.problem(message), "problem");
  }

  problem(message) {
    if (message.problem === "broken") return this.say("broken") + (message.detail || "");
    return this.say(message.problem);
  }

  connection(state) {
    this.banner.textContent = state === "open" ? "" : this.say(state);
    this.banner.hidden = state === "open";
  }

  look(message) {
    const scene = message.scene;
    const fresh = scene.happenings || [];
    if (!message.since) this.told = [];
    this.told.push(...fresh);
    this.told = this.told.slice(-LOG_LINES);
    const before = this.scene;
    this.scene = scene;
    this.turn = message.turn;
    document.documentElement.dataset.turn = message.turn;
    this.mayUndo = message.undo;
    this.picking = scene.ask ? new Picking(scene.ask) : null;
    this.filter = "";
    if (this.past !== null) { this.drawReplay(); return; }
    const places = before && message.since ? this.motion.remember() : null;
    this.render();
    if (places) this.motion.show(fresh, places);
    this.announce(fresh, before);
  }

  send(message) {
    this.link.send(message);
  }

  // ------------------------------------------------------------ the frame around the table

  frame() {
    const action = (name, icon, handler, id) => h("button", { class: "tool", type: "button", id, onclick: handler, title: this.say(name) }, h("span", { class: "icon", "aria-hidden": "true" }, icon), h("span", { class: "word" }, this.say(name)));
    const chooser = h("select", { class: "tool", "aria-label": this.say("language"), onchange: (event) => this.speak(event.target.value) },
      Object.entries(LANGUAGES).map(([code, name]) => h("option", { value: code, selected: code === this.language }, name)));
    this.banner = h("div", { class: "banner", role: "status", hidden: true });
    this.live = h("div", { class: "sr", "aria-live": "polite", role: "log" });
    this.area = h("main", { class: "area-table", id: "table" });
    this.side = h("aside", { class: "side-panel", "aria-label": this.say("choices") });
    this.handArea = h("section", { class: "own", "aria-label": this.say("your") });
    this.backButton = this.extras.home ? h("a", { class: "tool", href: this.extras.home, title: this.say("back") }, h("span", { class: "icon", "aria-hidden": "true" }, "⌂"), h("span", { class: "word" }, this.say("back"))) : null;
    this.undoButton = action("undo", "↶", () => this.send({ do: "undo" }), "undo");
    this.root.replaceChildren(
      h("a", { class: "skip", href: "#choices" }, this.say("skip")),
      h("header", { class: "top" },
        h("h1", {}, this.stage ? this.stage.title : ""),
        h("nav", { class: "tools", "aria-label": this.say("table") },
          this.undoButton,
          action("hint", "💡", () => this.askHint(), "hint"),
          action("rules", "§", () => this.send({ do: "rules" }), "rules"),
          action("replay", "⏮", () => this.beginReplay(), "replay"),
          action("theme", "◐", () => this.theme(), "theme"),
          chooser, this.backButton),
        this.stage && this.stage.aim ? h("p", { class: "aim" }, h("strong", {}, this.say("aim")), " ", this.stage.aim) : null),
      this.banner, h("div", { class: "columns" }, this.area, this.side), this.handArea, this.live);
    if (this.scene) this.render();
  }

  theme() {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : window.matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    remember("theme", root.dataset.theme);
  }

  speak(language) {
    this.language = language;
    remember("language", language);
    this.send({ do: "language", language });
  }

  // ------------------------------------------------------------ drawing

  render() {
    const focus = document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.id : null;
    this.held = new Map();
    for (const contents of this.scene.contents || []) this.held.set(contents.place, contents);
    const glow = this.picking ? this.picking.glowing() : new Set();
    this.glow = glow;
    this.undoButton.disabled = !this.mayUndo;
    this.findAlike();
    this.boards = this.stage.boards.map((board) => new BoardView(board, this.stage, this));
    const boards = h("div", { class: "boards" }, this.boards.map((view) => this.framed(view)));
    this.area.replaceChildren(...[boards, this.trays(), this.seats()].filter(Boolean));
    this.drawOwn();
    this.drawSide();
    this.root.classList.toggle("my-turn", Boolean(this.scene.ask));
    if (focus) this.refocus(focus);
  }

  framed(view) {
    const svg = view.draw();
    this.roving(svg);
    // Where nearly everything can be chosen, it need not shine so brightly.
    if (svg.querySelectorAll(".cell.glow").length > 20) svg.classList.add("calm");
    const main = view === this.boards[0];
    return h("figure", { class: `framed ${main ? "main" : ""} form-${view.board.form}` },
      this.boards.length > 1 ? h("figcaption", {}, view.board.label) : null, svg);
  }

  contents(id) {
    const held = this.held.get(id);
    if (!held) return { pieces: [], stats: [], secret: false };
    for (const piece of held.pieces || []) this.adorn(piece);
    return { pieces: held.pieces || [], stats: held.stats || [], secret: held.count === null };
  }

  // Pieces of a kind with one symbol for several names: colour alone must not tell them apart.
  findAlike() {
    this.names = new Map();
    for (const held of this.held.values()) {
      for (const piece of held.pieces || []) {
        if (piece.known === false || !(piece.symbols || []).length) continue;
        const key = `${piece.kind} ${piece.symbols.join(" ")}`;
        if (!this.names.has(key)) this.names.set(key, new Set());
        this.names.get(key).add(piece.label);
      }
    }
  }

  adorn(piece) {
    const alike = this.names.get(`${piece.kind} ${(piece.symbols || []).join(" ")}`);
    piece.sign = alike && alike.size > 1 ? piece.letters : null;
    if (piece.owner) piece.ownerSymbol = this.scene.seats[piece.owner - 1].symbol;
    const bodies = this.stage.bodies.filter((body) => body.kind === piece.kind);
    piece.plain = bodies.length < 2;
    for (const inner of piece.inside || []) this.adorn(inner);
  }

  facts(piece) {
    return this.facts_.get(`${piece.kind}/${piece.label}`) || [];
  }

  nameOf(piece) {
    return piece && piece.owner ? this.scene.seats[piece.owner - 1].label : null;
  }

  describe(place, held) {
    const inside = held.secret ? this.say("secretCount") : grouped(held.pieces).map((same) => {
      const text = describePiece(same[0], this.scene.seats);
      return same.length > 1 ? `${same.length} × ${text}` : text;
    }).join(", ");
    const grounds = (place.grounds || []).map((ground) => ground.label);
    const stats = held.stats.map((stat) => (stat.flag ? stat.label : `${stat.label} ${stat.text}`));
    return `${[place.label, ...grounds, ...stats].join(", ")}: ${inside || this.say("empty")}`;
  }

  // Makes an element stand for a place, a player or pieces.
  mark(element, id, label) {
    element.dataset.id = id;
    element.setAttribute("aria-label", label);
    const touchable = this.glow.has(id);
    const inside = !touchable && [...this.glow].some((other) => other.startsWith(`${id}/`));
    element.setAttribute("role", "button");
    element.setAttribute("tabindex", "-1");
    if (touchable || inside) element.classList.add(touchable ? "glow" : "glow-inside");
    if (this.picking && this.picking.picked.some((picked) => picked === id)) element.classList.add("picked");
    element.addEventListener("click", (event) => { event.stopPropagation(); this.point(element, event); });
    const chain = this.chains.get(element) || [];
    this.chains.set(element, [...chain, id]);
  }

  // Makes an element stand for a place without being a button: it lies in one.
  belongs(element, id) {
    element.dataset.id = id;
    if (this.glow.has(id)) element.classList.add("glow");
    if (this.picking && this.picking.picked.includes(id)) element.classList.add("picked");
    this.chains.set(element, [...(this.chains.get(element) || []), id]);
    element.addEventListener("click", (event) => { event.stopPropagation(); this.point(element, event); });
  }

  // Makes an element stand for a piece in a place.
  carry(element, piece, place) {
    const chain = this.chains.get(element) || [];
    this.chains.set(element, [piece.id, ...chain.filter((id) => id !== place), place]);
    element.dataset.piece = piece.id;
    if (this.glow.has(piece.id)) element.classList.add("glow");
    if (this.picking && this.picking.picked.includes(piece.id)) element.classList.add("picked");
    if (!element.dataset.bound) {
      element.dataset.bound = "1";
      element.addEventListener("click", (event) => { event.stopPropagation(); this.point(element, event); });
    }
  }

  roving(container) {
    const all = [...container.querySelectorAll("[role=button]")];
    const first = all.find((each) => each.classList.contains("glow") || each.classList.contains("glow-inside")) || all[0];
    if (first) first.setAttribute("tabindex", "0");
    container.addEventListener("keydown", (event) => this.move(event, container));
  }

  // ------------------------------------------------------------ what is no board

  trays() {
    const places = this.stage.places.filter((place) => !place.board && !place.host && !place.owner && place.shape !== "cover");
    if (!places.length) return null;
    const tray = h("section", { class: "trays", "aria-label": this.say("beside") }, places.map((place) => this.tray(place, 66)));
    this.roving(tray);
    return tray;
  }

  tray(place, height, title) {
    const held = this.contents(place.id);
    const empty = !held.pieces.length && !held.secret;
    const name = title ?? place.label;
    const box = h("div", { class: `tray ${empty ? "empty" : ""} ${place.stack ? "stack" : ""} ${place.colour ? `g-${place.colour}` : ""}` },
      name ? h("span", { class: "tray-name" }, place.symbol ? `${place.symbol} ${name}` : name) : null);
    const row = h("div", { class: "tray-pieces" });
    const deck = place.stack && held.pieces.length > 1 && !oneOfEach(held.pieces);
    const loose = held.pieces.filter((piece) => !(piece.covers || []).length);
    const shown = deck ? [held.pieces.slice(-1)] : grouped(loose);
    for (const same of shown.slice(0, 40)) row.append(this.single(same, place, height, deck ? held.pieces.length : same.length));
    if (held.secret) row.append(h("span", { class: "secret" }, "?"));
    if (empty) row.append(h("span", { class: "nothing", "aria-hidden": "true" }, "–"));
    box.append(row, ...held.stats.map((stat) => this.stat(stat)));
    this.mark(box, place.id, this.describe(place, held));
    return box;
  }

  single(same, place, height, count) {
    const piece = same[same.length - 1];
    const svg = pieceSvg(piece, this.facts(piece), height);
    if (count > 1) {
      const [wide, high] = SIZES[piece.shape] || [64, 64];
      svg.append(badge(count, wide, high));
      svg.classList.add("several");
    }
    const element = h("span", { class: "one", title: this.tip(piece) }, svg);
    for (const each of same) this.carry(element, each, place.id);
    return element;
  }

  tip(piece) {
    if (piece.known === false) return piece.label;
    const facts = this.facts(piece).map((fact) => `${fact.label}: ${fact.text}`);
    return [describePiece(piece, this.scene.seats), ...facts].join("\n");
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
    const stats = (this.scene.stats || []).map((stat) => this.stat(stat));
    const panels = this.scene.seats.map((seat) => {
      const owned = this.stage.places.filter((place) => place.owner === seat.number);
      const who = this.sitting && this.sitting[seat.number - 1];
      const classes = ["seat", `c-${seat.colour}`, seat.asked ? "asked" : "", seat.out ? "out" : "", seat.you ? "you" : ""];
      const name = h("header", {},
          h("span", { class: "sign", "aria-hidden": "true" }, seat.symbol),
          h("strong", {}, seat.label),
          seat.you ? h("span", { class: "tag" }, this.say("you")) : null,
          !seat.you && who && who !== "human" ? h("span", { class: "tag quiet" }, who) : null);
      const panel = h("article", { class: classes.join(" ") }, name, seat.progress ? progressBar(seat.progress, this.say) : null,
        h("div", { class: "stats" }, (seat.stats || []).map((stat) => this.stat(stat))),
        h("div", { class: "belongings" }, owned.filter((place) => !this.isOwnHand(place)).map((place) => this.tray(place, 44, place.rest ? `${place.name} (${place.rest})` : place.name))));
      const told = [seat.label, seat.you ? this.say("you") : "", seat.asked ? this.say("waiting", { who: "" }).trim() : ""].filter(Boolean).join(" ");
      this.mark(name, seat.id, seat.progress ? `${told}, ${progressText(seat.progress, this.say)}` : told);
      return panel;
    });
    const section = h("section", { class: "seats", "aria-label": this.say("players") }, stats.length ? h("div", { class: "game-stats" }, stats) : null, panels);
    this.roving(section);
    return section;
  }

  isOwnHand(place) {
    return place.owner === this.scene.seat && place.sight === "private";
  }

  drawOwn() {
    const places = this.stage.places.filter((place) => place.owner && this.isOwnHand(place));
    this.handArea.hidden = !places.some((place) => this.contents(place.id).pieces.length);
    const kept = places.filter((place) => this.contents(place.id).pieces.length || places.length === 1);
    this.handArea.replaceChildren(...kept.map((place) => {
      const held = this.contents(place.id);
      const hand = h("div", { class: "hand" }, h("h2", {}, place.rest ? `${place.name} (${place.rest})` : place.name));
      const row = h("div", { class: "hand-pieces" });
      for (const piece of held.pieces) {
        const one = this.single([piece], place, 108, 1);
        one.setAttribute("role", "button");
        one.setAttribute("tabindex", "-1");
        one.setAttribute("aria-label", describePiece(piece, this.scene.seats));
        one.dataset.id = piece.id;
        row.append(one);
      }
      if (!held.pieces.length) row.append(h("span", { class: "nothing" }, this.say("empty")));
      hand.append(row);
      hand.dataset.id = place.id;
      this.chains.set(hand, [place.id]);
      this.roving(hand);
      return hand;
    }));
  }

  // ------------------------------------------------------------ choices and the log

  drawSide() {
    const { scene } = this;
    const asked = scene.seats.find((seat) => seat.asked);
    const parts = [];
    if (scene.ending) parts.push(endingView(scene, this.say, this.extras.again));
    else if (scene.ask) parts.push(this.asking());
    else if (asked) {
      const computer = this.sitting && this.sitting[asked.number - 1] !== "human";
      parts.push(h("section", { class: "ask idle", id: "choices" }, h("h2", {}, this.say(computer ? "thinking" : "waiting", { who: asked.label })),
        scene.prompt ? h("p", { class: "quiet" }, scene.prompt) : null, scene.seat ? null : h("p", { class: "quiet" }, this.say("spectator"))));
    }
    parts.push(this.log());
    this.side.replaceChildren(...parts);
    const log = this.side.querySelector(".log");
    if (log) log.scrollTop = log.scrollHeight;
  }

  asking() {
    const { ask } = this.scene;
    const section = h("section", { class: "ask", id: "choices", tabindex: "-1" },
      h("h2", {}, ask.prompt || this.say("yours")),
      (ask.picked || []).length ? h("p", {}, this.say("picked") + ask.picked.map((part) => part.label).join(", ")) : null);
    this.list = h("div", { class: "options" });
    this.next = h("p", { class: "quiet next" });
    section.append(this.next);
    if (ask.options.length > MANY_OPTIONS) {
      section.append(h("input", { class: "find", type: "search", "aria-label": this.say("search"), placeholder: `${this.say("search")} (${ask.options.length})`, oninput: (event) => { this.filter = event.target.value.toLowerCase(); this.drawOptions(); } }));
    }
    section.append(this.list);
    this.drawOptions();
    return section;
  }

  drawOptions() {
    const left = this.picking.left;
    const words = this.filter.split(/\s+/).filter(Boolean);
    const fitting = left.filter((option) => words.every((word) => sought(option).includes(word)));
    const groups = new Map();
    for (const option of fitting.slice(0, 240)) {
      // Where the action's own words name everything, there is nothing to put under them.
      const head = option.parts.length > 1 && option.label !== option.parts[0].label ? option.parts[0].label : "";
      if (!groups.has(head)) groups.set(head, []);
      groups.get(head).push(option);
    }
    this.list.replaceChildren(...[...groups].map(([head, options]) => h("div", { class: "group", role: "group", "aria-label": head || this.say("choices") },
      head ? h("h3", {}, head) : null,
      h("div", { class: "buttons" }, options.map((option) => this.optionButton(option, head))))));
    const picked = this.picking.picked.length;
    this.next.textContent = picked ? `${this.say("pick")}` : (this.glow.size ? this.say("pick") : "");
    if (picked) this.next.append(" ", h("button", { type: "button", class: "link", onclick: () => this.clear() }, this.say("clear")));
  }

  optionButton(option, head) {
    const notes = option.parts.map((part) => part.note).filter(Boolean).join(", ");
    const parts = head ? option.parts.slice(1) : [{ label: option.label, note: notes }];
    const touched = option.parts.flatMap((part) => part.touches || []);
    return h("button", {
      type: "button", class: "option", data: { option: option.number }, onclick: () => this.choose(option),
      onmouseenter: () => this.preview(touched, true), onmouseleave: () => this.preview(touched, false),
      onfocus: () => this.preview(touched, true), onblur: () => this.preview(touched, false),
    }, parts.map((part, n) => [n ? " · " : null, part.label, part.note ? h("span", { class: "about" }, ` (${part.note})`) : null]));
  }

  preview(ids, on) {
    for (const element of this.root.querySelectorAll("[data-id],[data-piece]")) {
      const chain = this.chains.get(element) || [];
      const mine = element.dataset.piece ? chain.filter((id) => id.includes("/")) : [element.dataset.id];
      if (mine.some((id) => ids.includes(id))) element.classList.toggle("shown", on);
    }
  }

  log() {
    const lines = this.told.filter((each) => each.text).slice(-160);
    return h("section", { class: "logbook", "aria-label": this.say("log") }, h("h2", {}, this.say("log")),
      h("div", { class: "log", tabindex: "0", role: "region", "aria-label": this.say("log") },
        lines.map((each) => h("p", { class: each.headline ? "headline" : "detail" }, each.text,
          (each.cites || []).length ? h("span", { class: "cite" }, ` ${each.cites.map((rule) => `§${rule}`).join(" ")}`) : null))));
  }

  announce(fresh, before) {
    const lines = fresh.filter((each) => each.text && each.headline).map((each) => each.text);
    const { scene } = this;
    if (scene.ask && (!before || !before.ask || before.told !== scene.told)) lines.push(`${this.say("yours")}. ${scene.ask.prompt}`);
    const first = !before && this.stage.aim ? [`${this.say("aim")} ${this.stage.aim}`] : [];
    const last = scene.ending && !(before && before.ending) ? endingLines(scene, this.say) : [];
    this.live.replaceChildren(...[...first, ...lines.slice(-6), ...last].map((line) => h("p", {}, line)));
    for (const each of fresh.filter((happening) => happening.sort === "rolled" && happening.text).slice(-1)) this.motion.roll(each);
  }

  // ------------------------------------------------------------ pointing

  point(element, event) {
    if (this.past !== null) return;
    const chain = this.wholeChain(element);
    if (!this.picking) {
      if (!this.scene.ending && this.scene.seat) toast(this.say("not your turn"));
      return;
    }
    if (this.picking.point(chain)) {
      const decided = this.picking.decided();
      if (decided) { this.choose(decided); return; }
      this.render();
      return;
    }
    this.asked = { x: event.clientX || 0, y: event.clientY || 0, element };
    const ids = [...this.picking.picked, chain[0]];
    this.send({ do: "why", ids: ids.slice(-4), id: 1 });
  }

  wholeChain(element) {
    const chain = [];
    for (let at = element; at && at !== this.root; at = at.parentNode) chain.push(...(this.chains.get(at) || []));
    const hosts = chain.map((id) => this.stage.places.find((place) => place.id === id)).filter((place) => place && place.host).map((place) => place.host);
    return [...new Set([...chain, ...hosts])];
  }

  choose(option) {
    this.send({ do: "choose", number: option.number, turn: this.turn });
    this.picking = null;
    this.scene = { ...this.scene, ask: undefined };
    this.root.classList.remove("my-turn");
  }

  clear() {
    if (this.picking && this.picking.picked.length) { this.picking.picked = []; this.render(); }
  }

  tellWhy(why) {
    const reasons = why.reasons || [];
    const body = reasons.length ? reasons.map((reason) => h("p", {}, reason.text, reason.cites.length ? h("span", { class: "cite" }, ` ${reason.cites.map((rule) => `§${rule}`).join(" ")}`) : null)) : [h("p", {}, this.say("no reason"))];
    toast(h("div", { class: "why" }, h("strong", {}, this.say("whyTitle")), body), "why");
    if (this.asked && this.asked.element.isConnected && !prefersStill()) this.motion.shake(this.asked.element);
  }

  askHint() {
    if (!this.scene || !this.scene.ask) { toast(this.say("not your turn")); return; }
    toast("…");
    this.send({ do: "hint" });
  }

  tellHint(ideas) {
    if (!ideas.length) { toast(this.say("no hint")); return; }
    const [best] = ideas;
    const move = best.moves.join(", ");
    const text = best.games ? this.say("hintText", { move, share: Math.round(100 * best.wins[this.scene.seat - 1]), games: best.games }) : this.say("hintOnly", { move });
    toast(text, "hint");
  }

  showRules(rules) {
    sheet(rules.title, this.say("close"), h("div", { class: "rules" }, h("p", { class: "quiet" }, rules.subtitle),
      rules.sections.map((section) => h("section", {}, h("h3", {}, section.title),
        section.entries.map((entry) => h("p", { class: entry.head ? "head" : "", style: null, data: { depth: Math.min(entry.depth, 6) } }, entry.text,
          entry.cites.length ? h("span", { class: "cite" }, ` ${entry.cites.map((rule) => `§${rule}`).join(" ")}`) : null))))));
  }

  // ------------------------------------------------------------ looking back

  beginReplay() {
    if (this.past === null) this.send({ do: "past", turn: Math.max(0, this.turn - 1) });
    else this.endReplay();
  }

  lookBack(message) {
    this.present = this.past === null ? this.scene : this.present;
    this.past = message.at;
    this.scene = message.past;
    this.picking = null;
    this.render();
    this.drawReplay(message.of);
  }

  drawReplay(of) {
    const most = of ?? this.turn;
    const slider = h("input", { type: "range", min: 0, max: most, value: this.past, "aria-label": this.say("replay"), onchange: (event) => this.send({ do: "past", turn: Number(event.target.value) }) });
    const step = (by) => () => this.send({ do: "past", turn: Math.min(most, Math.max(0, this.past + by)) });
    const box = h("div", { class: "replay" }, h("button", { type: "button", onclick: step(-1), "aria-label": "−1" }, "◀"), slider, h("button", { type: "button", onclick: step(1), "aria-label": "+1" }, "▶"),
      h("span", {}, this.say("stepsBack", { at: this.past, of: most })), h("button", { type: "button", class: "now", onclick: () => this.endReplay() }, this.say("now")));
    this.root.querySelector(".replay")?.remove();
    this.area.prepend(box);
    slider.focus();
  }

  endReplay() {
    this.past = null;
    this.send({ do: "language", language: this.language });
  }

  // ------------------------------------------------------------ keys

  key(event) {
    if (event.key === "Escape") this.clear();
  }

  // Arrows go to the nearest thing in that direction; Enter and the space bar point at it.
  move(event, container) {
    const here = event.target.closest("[role=button]");
    if (!here) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      event.stopPropagation();
      const inner = [...here.querySelectorAll("[data-piece]")];
      const piece = inner.find((each) => each.classList.contains("glow"));
      this.point(this.glow.has(here.dataset.id) || !piece ? here : piece, event);
      return;
    }
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const way = ways[event.key];
    if (!way) return;
    event.preventDefault();
    const centre = (element) => { const box = element.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; };
    const [x, y] = centre(here);
    let best = null, least = Infinity;
    for (const other of container.querySelectorAll("[role=button]")) {
      if (other === here) continue;
      const [ox, oy] = centre(other);
      const along = (ox - x) * way[0] + (oy - y) * way[1];
      const across = Math.abs((ox - x) * way[1]) + Math.abs((oy - y) * way[0]);
      if (along < 2) continue;
      const far = along + 2.5 * across;
      if (far < least) { least = far; best = other; }
    }
    if (best) { here.setAttribute("tabindex", "-1"); best.setAttribute("tabindex", "0"); best.focus(); }
  }

  refocus(id) {
    for (const element of this.root.querySelectorAll("[data-id]")) {
      if (element.dataset.id === id) {
        const container = element.closest("svg.board, .trays, .seats, .hand");
        container?.querySelectorAll('[tabindex="0"]').forEach((each) => each.setAttribute("tabindex", "-1"));
        element.setAttribute("tabindex", "0");
        element.focus({ preventScroll: true });
        return;
      }
    }
  }
}
