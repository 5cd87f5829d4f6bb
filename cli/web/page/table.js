// The table of one seat: draws scenes, turns pointing into choices, and says what happened.

import { h, prefersStill } from "./dom.js";
import { say, LANGUAGES, remember } from "./phrases.js";
import { Beside } from "./beside.js";
import { BoardView } from "./boards.js";
import { Choices } from "./choices.js";
import { icon } from "./icons.js";
import { describePiece, grouped } from "./pieces.js";
import { Picking } from "./picking.js";
import { Motion } from "./motion.js";
import { sheet, toast } from "./sheets.js";
import { endingLines } from "./standing.js";

const LOG_LINES = 400;

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
    this.beside = new Beside(this);
    this.choices = new Choices(this);
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
      this.kinds = new Map(this.stage.kinds || []);
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
    this.choices.begin();
    if (this.past !== null) { this.drawReplay(); return; }
    const places = before && message.since ? this.motion.remember() : null;
    this.render();
    if (places) this.motion.show(fresh, places);
    if (before && message.since) this.motion.roll(fresh);
    this.announce(fresh, before);
  }

  send(message) {
    this.link.send(message);
  }

  // ------------------------------------------------------------ the frame around the table

  frame() {
    const action = (name, handler) => h("button", { class: "tool", type: "button", id: name, onclick: handler, title: this.say(name), "aria-label": this.say(name) }, icon(name), h("span", { class: "word" }, this.say(name)));
    const chooser = h("select", { class: "tool", "aria-label": this.say("language"), onchange: (event) => this.speak(event.target.value) },
      Object.entries(LANGUAGES).map(([code, name]) => h("option", { value: code, selected: code === this.language }, name)));
    this.banner = h("div", { class: "banner", role: "status", hidden: true });
    this.live = h("div", { class: "sr", "aria-live": "polite", role: "log" });
    this.area = h("main", { class: "area-table", id: "table" });
    this.side = h("aside", { class: "side-panel", "aria-label": this.say("choices") });
    this.handArea = h("section", { class: "own", "aria-label": this.say("your"), hidden: true });
    const home = this.extras.home ? h("a", { class: "tool home", href: this.extras.home, title: this.say("back"), "aria-label": this.say("back") }, icon("home")) : null;
    this.undoButton = action("undo", () => this.send({ do: "undo" }));
    this.root.classList.add("at-table");
    this.root.replaceChildren(
      h("a", { class: "skip", href: "#choices" }, this.say("skip")),
      h("header", { class: "top" },
        home, h("h1", {}, this.stage ? this.stage.title : ""),
        h("nav", { class: "tools", "aria-label": this.say("table") },
          this.undoButton,
          action("hint", () => this.askHint()),
          action("rules", () => this.send({ do: "rules" })),
          action("replay", () => this.beginReplay()),
          action("theme", () => this.theme()),
          chooser),
        this.stage && this.stage.aim ? h("p", { class: "aim" }, h("strong", {}, this.say("aim")), " ", this.stage.aim) : null),
      this.banner, h("div", { class: "columns" }, this.area, this.side), this.handArea, this.live);
    // How high the hand is decides where what stands above it ends.
    new ResizeObserver(() => this.root.style.setProperty("--hand", `${this.handArea.offsetHeight}px`)).observe(this.handArea);
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
    this.boards = this.inOrder(this.stage.boards).map((board) => new BoardView(board, this.stage, this));
    const boards = h("div", { class: "boards" }, this.boards.map((view) => this.framed(view)));
    this.area.replaceChildren(...[boards, this.beside.trays(), this.beside.seats()].filter(Boolean));
    this.beside.fillHand(this.handArea);
    this.choices.fill(this.side);
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
      !main || view.board.owner ? h("figcaption", {}, view.board.label) : null, svg);
  }

  // Where every player has a board, one's own comes first.
  inOrder(boards) {
    if (!boards.length || !boards[0].owner) return boards;
    const own = boards.find((board) => board.owner === this.scene.seat);
    return own ? [own, ...boards.filter((board) => board !== own)] : boards;
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
    // On the piece itself stands what tells it from others of its kind.
    const kind = this.kinds.get(piece.kind);
    const rest = kind && piece.label.startsWith(`${kind} `) ? piece.label.slice(kind.length + 1) : "";
    piece.short = rest && (piece.shape !== "card" || /\p{L}{2}/u.test(rest)) ? rest : piece.label;
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

  // ------------------------------------------------------------ choices and the log

  preview(ids, on) {
    for (const element of this.root.querySelectorAll("[data-id],[data-piece]")) {
      const chain = this.chains.get(element) || [];
      const mine = element.dataset.piece ? chain.filter((id) => id.includes("/")) : [element.dataset.id];
      if (mine.some((id) => ids.includes(id))) element.classList.toggle("shown", on);
    }
  }

  announce(fresh, before) {
    const lines = fresh.filter((each) => each.text && each.headline).map((each) => each.text);
    const { scene } = this;
    if (scene.ask && (!before || !before.ask || before.told !== scene.told)) lines.push(`${this.say("yours")}. ${scene.ask.prompt}`);
    const first = !before && this.stage.aim ? [`${this.say("aim")} ${this.stage.aim}`] : [];
    const last = scene.ending && !(before && before.ending) ? endingLines(scene, this.say) : [];
    this.live.replaceChildren(...[...first, ...lines.slice(-6), ...last].map((line) => h("p", {}, line)));
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
    const text = best.games ? this.say(best.far ? "hintFar" : "hintText", { move, share: Math.round(100 * best.wins[this.scene.seat - 1]), games: best.games }) : this.say("hintOnly", { move });
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
