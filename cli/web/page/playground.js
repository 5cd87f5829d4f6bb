// The playground: rules on the left, checked as they are written; the table on the right.

import { h } from "./dom.js";
import { say, remember, remembered } from "./phrases.js";
import { highlighted } from "./highlight.js";
import { TableView } from "./table.js";
import { toast } from "./sheets.js";

const FIRST = "tic_tac_toe";
const PAUSE = 450;

async function packed(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let letters = "";
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function unpackedText(text) {
  const letters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
}

export class Playground {
  constructor(root, source, link, language, play) {
    this.root = root;
    this.source = source;
    this.link = link;
    this.language = language;
    this.play_ = play;
    this.frame();
    this.first();
  }

  say(name, parts) {
    return say(this.language, name, parts);
  }

  frame() {
    this.text = h("textarea", { class: "code", spellcheck: "false", autocapitalize: "off", "aria-label": this.say("editor"), oninput: () => this.changed(), onscroll: () => this.follow(), onkeydown: (event) => this.tab(event) });
    this.behind = h("pre", { class: "code behind", "aria-hidden": "true" });
    this.problems = h("div", { class: "problems", role: "status", "aria-label": this.say("problems") });
    this.examples = h("select", { class: "tool", "aria-label": this.say("example"), onchange: (event) => this.example(event.target.value) });
    this.playButton = h("button", { type: "button", class: "big", id: "play", disabled: true, onclick: () => this.play() }, this.say("tryIt"));
    this.table = h("div", { class: "play-area" });
    this.report = h("div", { class: "report", role: "status" });
    this.root.replaceChildren(
      h("header", { class: "top" }, h("h1", {}, this.say("playground")), h("nav", { class: "tools" }, this.examples,
        h("button", { type: "button", class: "tool", onclick: () => this.share() }, this.say("share")), this.playButton)),
      h("main", { class: "workshop" },
        h("section", { class: "left", "aria-label": this.say("editor") }, h("div", { class: "editor" }, this.behind, this.text), this.problems,
          h("div", { class: "tools" }, h("button", { type: "button", id: "tests", onclick: () => this.test() }, this.say("run")), h("button", { type: "button", id: "simulate", onclick: () => this.simulate() }, this.say("simulate"))), this.report),
        h("section", { class: "right", "aria-label": this.say("table") }, this.table)));
  }

  async first() {
    const shared = /^#rules=(.+)$/.exec(location.hash);
    const games = await this.source.list();
    this.examples.replaceChildren(h("option", { value: "" }, this.say("example")), ...games.map((game) => h("option", { value: game.id }, game.titles[this.language] || game.titles.en)));
    if (shared) {
      try { this.set(await unpackedText(shared[1])); return; } catch { /* a link that was cut off */ }
    }
    const kept = remembered("rules");
    if (kept) this.set(kept);
    else await this.example(FIRST);
  }

  async example(id) {
    if (id) this.set(await this.source.rules(id));
  }

  set(text) {
    this.text.value = text;
    this.changed();
  }

  tab(event) {
    if (event.key !== "Tab" || event.shiftKey || event.ctrlKey) return;
    const { selectionStart: at, value } = this.text;
    const column = at - value.lastIndexOf("\n", at - 1) - 1;
    // At the end of what was typed the key goes on to the next thing, as everywhere.
    if (value.slice(at - column, at).trim()) return;
    event.preventDefault();
    this.text.setRangeText("    ", at, at, "end");
    this.changed();
  }

  changed() {
    this.behind.replaceChildren(...highlighted(this.text.value, this.marks || []));
    this.follow();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(), PAUSE);
  }

  follow() {
    this.behind.scrollTop = this.text.scrollTop;
    this.behind.scrollLeft = this.text.scrollLeft;
  }

  async check() {
    const text = this.text.value;
    remember("rules", text);
    this.problems.textContent = this.say("checking");
    let found;
    try { found = await this.source.check(text); } catch (error) { this.problems.textContent = String(error.message); return; }
    if (text !== this.text.value) return;
    this.marks = found.diagnostics;
    this.game = found.game;
    this.playButton.disabled = !found.game;
    this.behind.replaceChildren(...highlighted(text, this.marks));
    this.problems.replaceChildren(...(this.marks.length ? this.marks.slice(0, 30).map((each) => h("button", { type: "button", class: `problem ${each.severity}`, onclick: () => this.go(each) },
      h("strong", {}, `${this.say(each.severity)} · ${this.say("line", { line: each.line })}`), " ", each.message, each.hint ? h("span", { class: "quiet" }, ` — ${each.hint}`) : null)) : [h("p", { class: "good" }, `✓ ${this.say("none")}`)]));
  }

  go(problem) {
    const lines = this.text.value.split("\n");
    const at = lines.slice(0, problem.line - 1).reduce((sum, line) => sum + line.length + 1, 0) + problem.column - 1;
    this.text.focus();
    this.text.setSelectionRange(at, at + Math.max(1, problem.endLine === problem.line ? problem.endColumn - problem.column : 1));
  }

  async play() {
    if (!this.game) return;
    const players = this.game.players.includes(4) ? 4 : this.game.players[0];
    const seats = ["human", ...Array.from({ length: players - 1 }, () => "easy")];
    const wish = { rules: this.text.value, seats, language: this.language };
    if (this.play_) { await this.play_(this.table, wish); return; }
    this.view = new TableView(this.table, this.link, this.language, {});
    this.link.send({ do: "start", game: this.game.id, ...wish });
  }

  // What the rules do when they are tried out, or why that can't be told.
  async told(asking, telling) {
    this.report.textContent = "…";
    try { this.report.replaceChildren(...telling(await asking)); } catch (error) { this.report.textContent = String(error.message); }
  }

  test() {
    return this.told(this.source.test(this.text.value), (results) => [
      h("p", {}, this.say("passed", { n: results.filter((each) => each.passed).length, of: results.length })),
      h("ul", {}, results.map((each) => h("li", {}, `${each.passed ? "✓" : "✗"} ${each.title}`, each.why ? h("span", { class: "quiet" }, ` — ${each.why}`) : null))),
    ]);
  }

  async simulate() {
    if (!this.game) return;
    const players = this.game.players.includes(4) ? 4 : this.game.players[0];
    await this.told(this.source.simulate(this.text.value, players), ({ games, wins }) => [
      h("p", {}, this.say("games", { n: games })),
      h("ul", {}, wins.map((won, n) => h("li", {}, this.say("wins", { who: `${this.say("seat")} ${n + 1}`, share: Math.round((100 * won) / games) })))),
    ]);
  }

  async share() {
    const link = `${location.href.split("#")[0]}#rules=${await packed(this.text.value)}`;
    history.replaceState(null, "", link);
    try { await navigator.clipboard.writeText(link); } catch { /* the address bar has it */ }
    toast(this.say("send"));
  }
}
