// Rules in colours, and the places of mistakes underlined. The text itself is never changed.

import { h } from "./dom.js";

const WORDS = new Set(("game players rulebook limit decisions library use variant replace extend before after remove option type piece place state define action step trigger ranking language looks test given when then history "
  + "grid ring line network of stack room hidden private seen uncounted refilled per in by let set add take move put shuffle roll show tell record eliminate win end skip require if else for together repeat times while choose optional "
  + "any some exactly up to from at bottom and or not is yes no none highest lowest payoff the first count sum max min all where have then case reach would can map assumed refuse with clamped each").split(" "));
const PART = /(#[^\n]*)|("[^"\n]*"?)|(§[A-Za-z]+-\d+)|([^\W\d]\w*)|(\d+)|(\n)|([^\w#"§\n]+)/gu;

export function highlighted(text, marks) {
  const wrong = new Map();
  for (const mark of marks) {
    if (!wrong.has(mark.line)) wrong.set(mark.line, []);
    wrong.get(mark.line).push(mark);
  }
  const found = [];
  let line = 1, column = 1;
  for (const [part, comment, string, cite, word, number, end] of text.matchAll(PART)) {
    if (end) { found.push("\n"); line += 1; column = 1; continue; }
    const sort = comment ? "comment" : string ? "string" : cite ? "cite" : number ? "number" : word && WORDS.has(word) ? "word" : null;
    const here = (wrong.get(line) || []).find((mark) => mark.column < column + part.length && (mark.endLine > line ? Infinity : Math.max(mark.endColumn, mark.column + 1)) > column);
    const classes = [sort && `hl-${sort}`, here && `wrong ${here.severity}`].filter(Boolean).join(" ");
    found.push(classes ? h("span", { class: classes }, part) : part);
    column += part.length;
  }
  found.push("\n");
  return found;
}
