// Pieces as pictures. Each is drawn around the origin; `tall` shapes are higher than wide.

import { s, rounded } from "./dom.js";

export const SIZES = {
  card: [62, 88], tile: [72, 72], disc: [64, 64], stone: [84, 84], coin: [54, 54], cube: [50, 50], die: [54, 54],
  meeple: [62, 62], pawn: [64, 72], figure: [76, 76], house: [66, 66], hexagon: [72, 72], wedge: [56, 50], roof: [88, 60],
};

function polygon(points, attributes) {
  return s("polygon", { points: points.map(([x, y]) => `${rounded(x)},${rounded(y)}`).join(" "), ...attributes });
}

export function hexagonPoints(radius) {
  return [0, 1, 2, 3, 4, 5].map((n) => {
    const angle = Math.PI / 6 + (n * Math.PI) / 3;
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });
}

const PIPS = {
  1: [[0, 0]], 2: [[-1, -1], [1, 1]], 3: [[-1, -1], [0, 0], [1, 1]], 4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]], 6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};

function outline(piece) {
  switch (piece.shape) {
    case "card": return [s("rect", { class: "face", x: -31, y: -44, width: 62, height: 88, rx: 7 })];
    case "tile": return [s("rect", { class: "face", x: -36, y: -36, width: 72, height: 72, rx: 6 })];
    case "disc": return [s("circle", { class: "body", r: 31 }), s("circle", { class: "rim", r: 23 })];
    case "stone": return [s("circle", { class: "body", r: 40 }), s("ellipse", { class: "shine", cx: -12, cy: -14, rx: 14, ry: 9 })];
    case "coin": return [s("circle", { class: "body", r: 26 }), s("circle", { class: "rim dotted", r: 20 })];
    case "cube": return [
      polygon([[-22, -12], [0, -24], [22, -12], [22, 12], [0, 24], [-22, 12]], { class: "body" }),
      s("path", { class: "rim", d: "M-22 -12 L0 0 L22 -12 M0 0 V24" }),
    ];
    case "die": return [s("rect", { class: "body", x: -26, y: -26, width: 52, height: 52, rx: 10 })];
    case "meeple": return [s("path", {
      class: "body",
      d: "M0 -30 a11 11 0 0 1 9 17 c14 2 22 8 21 13 c-1 5 -11 5 -15 4 c5 9 11 17 10 21 c-1 4 -16 3 -19 2 c-3 -1 -4 -8 -6 -8 c-2 0 -3 7 -6 8 c-3 1 -18 2 -19 -2 c-1 -4 5 -12 10 -21 c-4 1 -14 1 -15 -4 c-1 -5 7 -11 21 -13 a11 11 0 0 1 9 -17 z",
    })];
    case "pawn": return [s("path", { class: "body", d: "M0 -34 a13 13 0 0 1 8 23 c2 16 10 24 16 32 v12 h-48 v-12 c6 -8 14 -16 16 -32 a13 13 0 0 1 8 -23 z" })];
    case "figure": return [];
    case "house": return [polygon([[-26, -4], [0, -30], [26, -4], [26, 30], [-26, 30]], { class: "body" })];
    case "hexagon": return [polygon(hexagonPoints(36), { class: "face" })];
    case "wedge": return [polygon([[-27, 18], [27, 18], [27, -4], [-6, -22]], { class: "body" }), s("path", { class: "rim", d: "M-27 18 L27 -4" })];
    case "roof": return [polygon([[-42, 26], [-22, -26], [22, -26], [42, 26]], { class: "body" }), s("path", { class: "rim", d: "M-35 8 H35 M-28 -10 H28" })];
    default: return [s("circle", { class: "body", r: 30 })];
  }
}

// A text in lines of about so many letters; no word of it is left out.
export function inLines(text, wide) {
  const lines = [];
  for (const word of text.split(/\s+/)) {
    const last = lines[lines.length - 1];
    if (last !== undefined && (last + " " + word).length <= wide) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

// As large as lines can be written into a box; `most` is large enough.
export function fittingSize(lines, wide, high, most) {
  const longest = Math.max(...lines.map((line) => line.length));
  return rounded(Math.min(most, wide / (longest * 0.6), high / (lines.length * 1.12)));
}

function written(name, attributes, lines, size, middle) {
  return lines.map((line, n) => s("text", { class: name, y: rounded(middle + (n - (lines.length - 1) / 2) * size * 1.12), "font-size": size, ...attributes }, line));
}

// A card: its symbols with its name below, or its name with what the rules say of it.
function cardFace(piece, symbols, facts) {
  const name = piece.short || piece.label;
  const lines = inLines(name, symbols ? 11 : 9);
  if (!symbols) {
    const shown = facts.filter((fact) => /^-?\d+$/.test(fact.text) && fact.text !== "0").slice(0, 4);
    const low = shown.length ? 38 - shown.length * 10 : 40;
    const parts = written("name", {}, lines, fittingSize(lines, 54, low + 36, 14), (low - 40) / 2);
    shown.forEach((fact, n) => {
      const text = `${fact.label} ${fact.text}`;
      parts.push(s("text", { class: "fact", y: low + 6 + n * 10, "font-size": fittingSize([text], 54, 20, 8.5) }, text));
    });
    return parts;
  }
  const length = [...symbols].length;
  // Rank and suit also stand in the corners, as on any playing card.
  const corners = (piece.symbols || []).length > 1 && length <= 4;
  const parts = [s("text", { class: "symbol", y: corners ? -4 : -12, "font-size": length > 3 ? 19 : (length > 2 ? 22 : 28) }, symbols)];
  if (corners) {
    parts.push(s("text", { class: "symbol corner", x: -26, y: -35, "font-size": 11 }, symbols));
    parts.push(s("text", { class: "symbol corner", x: -26, y: -35, "font-size": 11, transform: "rotate(180)" }, symbols));
  }
  return [...parts, ...written("name", {}, lines, fittingSize(lines, corners ? 46 : 54, corners ? 16 : 30, corners ? 8.5 : 12), corners ? 20 : 22)];
}

function tileFace(piece, symbols) {
  if (symbols) {
    const length = [...symbols].length;
    return [s("text", { class: "symbol", y: 4, "font-size": length > 3 ? 17 : 34 }, symbols)];
  }
  const lines = inLines(piece.short || piece.label, 9);
  return written("name", {}, lines, fittingSize(lines, 62, 60, lines[0].length > 2 ? 17 : 44), 0);
}

function writing(piece, facts) {
  const symbols = (piece.symbols || []).join("");
  const number = (piece.stats || []).find((stat) => stat.number !== undefined && stat.number !== null);
  switch (piece.shape) {
    case "die": {
      const value = number ? number.number : 1;
      if (PIPS[value]) return PIPS[value].map(([x, y]) => s("circle", { class: "pip", cx: x * 14, cy: y * 14, r: 5 }));
      break;
    }
    // A figure is its symbol; the sign behind it keeps it from becoming a little picture in colours.
    case "figure": return [s("text", { class: "symbol body", "font-size": 74, y: 3 }, `${symbols || piece.letters}\ufe0e`)];
    case "card": return cardFace(piece, symbols, facts);
    case "tile":
    case "hexagon": return tileFace(piece, symbols);
    default:
  }
  const text = symbols || (piece.shape === "meeple" || piece.shape === "cube" || piece.shape === "stone" || !piece.letters || piece.plain ? "" : piece.letters);
  const found = [];
  if (text) found.push(s("text", { class: "symbol", "font-size": text.length > 2 ? 20 : (symbols ? 36 : 26), y: piece.shape === "pawn" ? 10 : 2 }, text));
  return found;
}

// A piece as a group; `facts` are what the rules' table says about it.
export function drawPiece(piece, facts) {
  const known = piece.known !== false;
  const classes = ["piece", piece.shape, known ? `c-${piece.colour || "none"}` : "back"];
  const group = s("g", { class: classes.join(" ") }, outline(piece));
  if (known) group.append(...writing(piece, facts || []));
  else {
    if (piece.shape === "card") group.append(s("rect", { class: "pattern", x: -25, y: -38, width: 50, height: 76, rx: 4 }));
    const told = (piece.symbols || []).join(" ");
    group.append(s("text", { class: "symbol", "font-size": told ? 12 : 26, y: 2 }, told || "?"));
  }
  if (piece.ownerSymbol && known && !group.querySelector("text")) {
    group.append(s("text", { class: "owner", y: piece.shape === "pawn" ? 16 : (piece.shape === "meeple" ? 4 : 1), "font-size": 20 }, piece.ownerSymbol));
  }
  const flat = piece.shape === "card" || piece.shape === "tile";
  const owned = piece.ownerSymbol && !["black", "white"].includes(piece.colour) && (piece.symbols || []).length;
  const sign = known && !flat ? piece.sign || (owned ? piece.ownerSymbol : null) : null;
  if (sign) group.append(s("g", { class: "flag", transform: "translate(22 20)" }, s("circle", { r: 10 }), s("text", { "font-size": 12 }, sign)));
  const flags = (piece.stats || []).filter((stat) => stat.flag && !(piece.symbols || []).includes(stat.symbol));
  flags.slice(0, 2).forEach((stat, n) => group.append(
    s("g", { class: "flag", transform: `translate(${22 - n * 20} -26)` }, s("circle", { r: 9 }), s("text", { "font-size": 11 }, stat.symbol || stat.label[0].toUpperCase()))));
  (piece.inside || []).slice(0, 2).forEach((inner, n) => group.append(
    s("g", { class: "inside", transform: `translate(${20 - n * 30} 24) scale(0.42)` }, drawPiece(inner, []))));
  return group;
}

// A piece as an SVG of its own, for hands and trays.
export function pieceSvg(piece, facts, height) {
  const [wide, high] = SIZES[piece.shape] || [64, 64];
  const scale = height / 88;
  const pad = 4;
  return s("svg", {
    class: "single", viewBox: `${-wide / 2 - pad} ${-high / 2 - pad} ${wide + 2 * pad} ${high + 2 * pad}`,
    width: rounded((wide + 2 * pad) * scale), height: rounded((high + 2 * pad) * scale), "aria-hidden": "true", focusable: "false",
  }, drawPiece(piece, facts));
}

// Pieces that look the same are drawn once, with their number.
export function grouped(pieces) {
  const groups = new Map();
  for (const piece of pieces) {
    const key = JSON.stringify([piece.kind, piece.label, piece.known, piece.colour, piece.symbols, piece.owner, piece.stats, piece.inside]);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(piece);
  }
  return [...groups.values()];
}

// Pieces of different players, in whose order the point lies.
export function oneOfEach(pieces) {
  return pieces.every((piece) => piece.owner) && new Set(pieces.map((piece) => piece.owner)).size === pieces.length;
}

export function describePiece(piece, seats) {
  let text = piece.label;
  if (piece.owner) text += ` (${seats[piece.owner - 1].label})`;
  for (const stat of piece.stats || []) text += stat.flag ? `, ${stat.label}` : `, ${stat.label} ${stat.text}`;
  if ((piece.inside || []).length) text += `: ${piece.inside.map((inner) => inner.label).join(", ")}`;
  return text;
}
