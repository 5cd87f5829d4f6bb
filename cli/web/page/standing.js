// How players stand: how far each of them is, and at the end their places and what decided them.

import { h } from "./dom.js";

export function progressText(progress, say) {
  if (progress.goal === null) return progress.unit ? `${progress.unit}: ${progress.value}` : `${progress.value}`;
  return say(progress.unit ? "progressIn" : "progress", progress);
}

// The bar shows what the text beside it says, where there is something to reach.
export function progressBar(progress, say) {
  if (progress.goal === null) return h("div", { class: "progress" }, h("span", {}, progressText(progress, say)));
  const reached = Math.min(progress.goal, Math.max(0, progress.value));
  return h("div", { class: "progress" }, h("span", {}, progressText(progress, say)),
    h("progress", { max: progress.goal, value: reached, "aria-hidden": "true" }));
}

function cause(ending, say) {
  if (ending.how === "limit") return say("limit");
  return ending.because || "";
}

// Who plays together for points has one result, not places.
function together(ending) {
  const payoffs = new Set(ending.placings.map((placing) => placing.payoff));
  return ending.paid && !ending.lost && payoffs.size === 1 && !ending.placings.some((placing) => placing.won);
}

function result({ ending, seats }, say) {
  const winners = ending.placings.filter((placing) => placing.won).map((placing) => seats[placing.seat - 1].label);
  if (winners.length) return say(winners.length === 1 ? "won" : "wonByMany", { who: winners.join(", ") });
  if (ending.lost) return say("allLost");
  if (!together(ending)) return say("drawn");
  const [first] = ending.placings[0].keys || [];
  return say("together", { keys: first ? `${first.label} ${first.text}` : ending.placings[0].payoff });
}

// The key that told a player from the next ones, where the first key did not.
function tieBreaker(placings, at) {
  const keys = placings[at].keys || [];
  const apart = [placings[at - 1], placings[at + 1]].filter(Boolean)
    .map((other) => keys.findIndex((key, n) => other.keys && key.text !== other.keys[n].text));
  const decided = Math.max(0, ...apart);
  return decided ? keys[decided] : null;
}

function places({ ending, seats }, say) {
  if (together(ending)) return [];
  return ending.placings.map((placing, at) => ({
    rank: placing.rank,
    seat: seats[placing.seat - 1],
    keys: [...(placing.keys || []), ...(placing.apart ? [{ label: placing.apart, text: "" }] : []), ...(ending.paid ? [{ label: say("payoff"), text: String(placing.payoff) }] : [])],
    decisive: tieBreaker(ending.placings, at),
  }));
}

// The end in sentences, for those who listen.
export function endingLines(scene, say) {
  return [say("over"), cause(scene.ending, say), result(scene, say), ...places(scene, say).map((place) => {
    const facts = place.keys.map((key) => `${key.label} ${key.text}`.trim());
    if (place.decisive) facts.push(say("tieBroken", { label: place.decisive.label }));
    const who = say("rank", { rank: place.rank, who: place.seat.label });
    return facts.length ? `${who}: ${facts.join(", ")}` : who;
  })].filter(Boolean);
}

export function endingView(scene, say, again) {
  const why = cause(scene.ending, say);
  const cites = (scene.ending.cites || []).map((rule) => `§${rule}`).join(" ");
  const ranking = places(scene, say);
  return h("section", { class: "ask ending", id: "choices", tabindex: "-1" },
    h("h2", {}, say("over")),
    h("p", { class: "result" }, result(scene, say)),
    why || cites ? h("p", { class: "quiet cause" }, why, cites ? h("span", { class: "cite" }, ` ${cites}`) : null) : null,
    ranking.length ? h("ol", { class: "places" }, ranking.map((place) => h("li", { value: place.rank, class: `c-${place.seat.colour}` },
      h("strong", {}, say("rank", { rank: place.rank, who: place.seat.label })),
      place.seat.you ? h("span", { class: "tag" }, say("you")) : null,
      place.keys.length ? h("div", { class: "stats" }, place.keys.map((key) => h("span", { class: key === place.decisive ? "stat decisive" : "stat" },
        h("span", { class: "stat-name" }, key.label), " ", h("span", { class: "stat-value" }, key.text)))) : null,
      place.decisive ? h("p", { class: "quiet" }, say("tieBroken", { label: place.decisive.label })) : null))) : null,
    again ? h("button", { type: "button", class: "big", onclick: again }, say("another")) : null);
}
