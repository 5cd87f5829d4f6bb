// Boards: each form has its way to place cells; the cells and what lies in them are drawn alike.

import { s, rounded } from "./dom.js";
import { drawPiece, fittingSize, grouped, hexagonPoints, inLines, SIZES, oneOfEach } from "./pieces.js";

const CELL = 100;

// Where a cell lies on the paper, and how large it is.
function placing(board, places) {
  const spots = new Map();
  const put = (place, x, y, wide, high, extra) => spots.set(place.id, { place, x, y, wide, high, ...extra });
  if (board.form === "ring") {
    const house = board.shape === "house";
    const step = house ? 250 : (places.length > 12 ? 120 : 150);
    for (const place of places) put(place, place.x * step, place.y * step * (house ? 0.92 : 1), house ? 104 : 96, house ? 150 : 96);
    return spots;
  }
  if (board.form === "line" && board.shape === "spike") {
    const half = Math.ceil(places.length / 2);
    const bar = Math.floor(half / 2);
    places.forEach((place, n) => {
      const top = n >= half;
      const column = top ? n - half : half - 1 - n;
      put(place, column * 78 + (column >= bar ? 56 : 0), top ? 0 : 430, 74, 330, { spike: top ? 1 : -1 });
    });
    return spots;
  }
  const hexes = board.form === "hexes" || board.shape === "hexagon";
  for (const place of places) {
    if (hexes) put(place, place.x * 88, place.y * 88, 88, 88, { hexagon: true });
    else if (board.form === "map") put(place, place.x * CELL, place.y * CELL, ...onMap(place));
    else if (board.form === "grid") put(place, place.x * CELL, place.y * CELL, CELL, CELL);
    else put(place, place.x * 124, 0, 108, 124);
  }
  return spots;
}

// Houses have writing in them, and more room for it where nobody has drawn the map.
function onMap(place) {
  if (place.shape !== "house") return [88, 88];
  return place.cell ? [96, 98] : [116, 126];
}

function wrapRows(board, spots) {
  // Long lines and rows of named places are broken, so that they can be read on a phone.
  if (!["line", "row"].includes(board.form) || board.shape === "spike") return;
  const most = board.shape === "ladder" ? 13 : 7;
  const number = spots.size;
  if (number <= most) return;
  const rows = Math.ceil(number / most);
  const columns = Math.ceil(number / rows);
  let n = 0;
  for (const spot of spots.values()) {
    spot.x = (n % columns) * 124;
    spot.y = Math.floor(n / columns) * 150;
    n += 1;
  }
}

// The numbers from 1 to size, in a circle, that hold all used ones and one on either side: they
// begin behind the widest gap. The terminal draws the same part (ruledsl/scene/cropping.py).
function cropped(used, size) {
  const there = [...new Set(used)].sort((a, b) => a - b);
  if (!there.length) return [1, 2, 3].filter((n) => n <= size);
  let widest = -1, start = 1;
  there.forEach((after, n) => {
    const before = there[(n + there.length - 1) % there.length];
    const gap = there.length > 1 ? (after - before - 1 + size) % size : size - 1;
    if (gap > widest) { widest = gap; start = after; }
  });
  const border = widest >= 2 ? 1 : 0;
  return Array.from({ length: size - widest + 2 * border }, (_, n) => ((start - border - 1 + n + size) % size) + 1);
}

export class BoardView {
  constructor(board, stage, table) {
    this.board = board;
    this.table = table;
    const lying = stage.places.filter((place) => place.board === board.id);
    this.places = this.crop(lying.filter((place) => !(place.ends || []).length));
    this.joints = lying.filter((place) => (place.ends || []).length);
    this.guests = stage.places.filter((place) => place.host && this.places.some((own) => own.id === place.host));
    this.spots = placing(board, this.places);
    wrapRows(board, this.spots);
    this.layGuests();
  }

  // Of a board without edges, what is there or may be chosen, with a border.
  crop(places) {
    const { wrapped } = this.board;
    if (!wrapped) return places;
    const [wide, high] = wrapped;
    const slant = this.board.form === "hexes";
    const at = (place) => /\((?:.*, )?(\d+), (\d+)\)$/.exec(place.id).slice(1).map(Number);
    const used = places.filter((place) => this.table.contents(place.id).pieces.length || this.table.glow.has(place.id)).map(at);
    const columns = cropped(used.map(([column]) => column), wide), rows = cropped(used.map(([, row]) => row), high);
    return places.flatMap((place) => {
      const [column, row] = at(place);
      const x = columns.indexOf(column), y = rows.indexOf(row);
      if (x < 0 || y < 0) return [];
      const down = rows.length - 1 - y;
      return [{ ...place, x: slant ? x + y / 2 : x, y: slant ? down * Math.sqrt(0.75) : down }];
    });
  }

  // Where an edge lies: along the way between places, or, where cells touch, on their common side.
  joint(place) {
    const [a, b] = place.ends.map((id) => this.spots.get(id));
    if (!a || !b) return null;
    const touching = (this.board.form === "grid" && !["crossing", "circle"].includes(this.board.shape)) || this.hexagonal();
    const [dx, dy] = [(b.x - a.x) / 2, (b.y - a.y) / 2];
    const side = this.hexagonal() ? 1 / Math.sqrt(3) : 1;
    const [ux, uy] = touching ? [-dy * side, dx * side] : [dx, dy];
    return { place, x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, wide: touching ? 40 : 64, high: touching ? 40 : 44, joint: [ux, uy], touching };
  }

  guestsOf(id) {
    return this.guests.filter((guest) => guest.host === id);
  }

  layGuests() {
    const { board, places } = this;
    this.guestSpots = new Map();
    places.forEach((place, n) => {
      const spot = this.spots.get(place.id);
      const guests = this.guestsOf(place.id);
      const streets = guests.filter((guest) => guest.shape === "street");
      const rest = guests.filter((guest) => guest.shape !== "street");
      for (const guest of streets) {
        const before = this.spots.get(places[(n + places.length - 1) % places.length].id);
        let x = (spot.x + before.x) / 2, y = (spot.y + before.y) / 2;
        if (board.form === "ring") {
          const middle = this.middle();
          const far = Math.hypot(spot.x - middle.x, spot.y - middle.y);
          const near = Math.hypot(x - middle.x, y - middle.y) || 1;
          const stretch = places.length > 2 ? 0.5 + 0.5 * (far / near) : 1;
          x = middle.x + (x - middle.x) * stretch;
          y = middle.y + (y - middle.y) * stretch + 20;
        }
        this.guestSpots.set(guest.id, { place: guest, x, y, wide: 120, high: 84, street: true });
      }
      const under = board.form === "grid" || board.form === "hexes";
      const below = ["line", "row"].includes(board.form);
      rest.forEach((guest, at) => {
        if (under && guest.room === 1) this.guestSpots.set(guest.id, { place: guest, x: spot.x, y: spot.y, wide: spot.wide, high: spot.high, under: true });
        else if (below) this.guestSpots.set(guest.id, { place: guest, x: spot.x, y: spot.y + 128 + at * 110, wide: 108, high: 116, below: true });
        else {
          const width = spot.wide / Math.max(2, rest.length);
          this.guestSpots.set(guest.id, { place: guest, x: spot.x + (at - (rest.length - 1) / 2) * width, y: spot.y + spot.high / 2 - 14, wide: width - 2, high: 34, slot: true });
        }
      });
    });
  }

  middle() {
    const all = [...this.spots.values()];
    return {
      x: (Math.min(...all.map((spot) => spot.x)) + Math.max(...all.map((spot) => spot.x))) / 2,
      y: (Math.min(...all.map((spot) => spot.y)) + Math.max(...all.map((spot) => spot.y))) / 2,
    };
  }

  box() {
    const all = [...this.spots.values(), ...this.guestSpots.values()];
    const margin = this.board.form === "grid" && !this.hexagonal() ? 34 : 14;
    const left = Math.min(...all.map((spot) => spot.x - spot.wide / 2)) - margin;
    const top = Math.min(...all.map((spot) => spot.y - spot.high / 2)) - (this.board.shape === "house" && this.board.form === "ring" ? 30 : 14);
    const right = Math.max(...all.map((spot) => spot.x + spot.wide / 2)) + 14;
    const bottom = Math.max(...all.map((spot) => spot.y + spot.high / 2)) + margin;
    return [left, top, right - left, bottom - top];
  }

  hexagonal() {
    return this.board.form === "hexes" || this.board.shape === "hexagon";
  }

  draw() {
    const [x, y, wide, high] = this.box();
    const svg = s("svg", {
      class: `board ${this.board.form} of-${this.board.shape}`, viewBox: [x, y, wide, high].map(rounded).join(" "),
      role: "group", "aria-label": this.board.label, data: { board: this.board.id },
    });
    svg.style.setProperty("--wide", Math.round(wide));
    svg.append(this.ground());
    this.covered = this.covers();
    const joints = this.joints.map((place) => this.joint(place)).filter(Boolean);
    for (const spot of joints.filter((each) => !each.touching)) svg.append(this.cell(spot));
    for (const spot of this.spots.values()) svg.append(this.cell(spot));
    for (const spot of joints.filter((each) => each.touching)) svg.append(this.cell(spot));
    for (const spot of [...this.guestSpots.values()].filter((each) => !each.under)) svg.append(this.cell(spot));
    return svg;
  }

  ground() {
    const { board } = this;
    const layer = s("g", { class: "ground", "aria-hidden": "true" });
    const all = [...this.spots.values()];
    if (board.form === "grid" && board.shape === "crossing") {
      const xs = all.map((spot) => spot.x), ys = all.map((spot) => spot.y);
      const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
      layer.append(s("rect", { class: "wood", x: left - 48, y: top - 48, width: right - left + 96, height: bottom - top + 96, rx: 8 }));
      for (const x of new Set(xs)) layer.append(s("line", { class: "rule", x1: x, x2: x, y1: top, y2: bottom }));
      for (const y of new Set(ys)) layer.append(s("line", { class: "rule", x1: left, x2: right, y1: y, y2: y }));
    }
    if (board.form === "ring") {
      const middle = this.middle();
      const rx = Math.max(...all.map((spot) => Math.abs(spot.x - middle.x))), ry = Math.max(...all.map((spot) => Math.abs(spot.y - middle.y)));
      layer.append(s("ellipse", { class: "lane", cx: middle.x, cy: middle.y + 30, rx: rx || 60, ry: ry || 60 }));
    }
    if (board.form === "map" || board.form === "hexes") {
      for (const [from, to] of board.edges || []) {
        const a = this.spots.get(from), b = this.spots.get(to);
        if (a && b) layer.append(s("line", { class: "way", x1: a.x, y1: a.y, x2: b.x, y2: b.y }));
      }
    }
    if (board.shape === "spike") {
      const [left, right] = [Math.min(...all.map((spot) => spot.x)) - 46, Math.max(...all.map((spot) => spot.x)) + 46];
      layer.append(s("rect", { class: "wood", x: left, y: -176, width: right - left, height: 782, rx: 10 }));
    }
    if (board.form === "grid" && !this.hexagonal()) layer.append(...this.rulers());
    if (board.sides) layer.append(...this.sides());
    return layer;
  }

  rulers() {
    const all = [...this.spots.values()];
    const names = new Map(), found = [];
    const bottom = Math.max(...all.map((spot) => spot.y)), left = Math.min(...all.map((spot) => spot.x));
    const match = (label) => /^([a-z]+)(\d+)(?: \(.*\))?$/.exec(label);
    for (const spot of all) {
      const name = match(spot.place.label);
      if (!name) return [];
      if (spot.y === bottom) found.push(s("text", { class: "ruler", x: spot.x, y: bottom + 70 }, name[1]));
      if (!names.has(spot.y)) { names.set(spot.y, name[2]); found.push(s("text", { class: "ruler", x: left - 66, y: spot.y }, name[2])); }
    }
    return found;
  }

  // Where two players have sides of the board: the first those of the rows, the other the flanks.
  sides() {
    const { seats } = this.table.scene;
    const all = [...this.spots.values()];
    const rows = [...new Set(all.map((spot) => spot.y))].sort((a, b) => a - b);
    const ends = (row) => all.filter((spot) => spot.y === row).sort((a, b) => a.x - b.x);
    const hexagonal = this.hexagonal();
    const [half, up, tip] = hexagonal ? [44, 25, 50] : [CELL / 2, CELL / 2, CELL / 2];
    const line = (points, seat) => s("polyline", { class: `side c-${seats[seat].colour}`, points: points.map(([x, y]) => `${rounded(x)},${rounded(y)}`).join(" ") });
    const edge = (row, way) => ends(row).flatMap((spot) => [[spot.x - half, spot.y + way * up], [spot.x, spot.y + way * tip], [spot.x + half, spot.y + way * up]]);
    const flank = (right) => rows.flatMap((row) => {
      const list = ends(row), spot = right ? list[list.length - 1] : list[0];
      return [[spot.x + (right ? half : -half), row - up], [spot.x + (right ? half : -half), row + up]];
    });
    return [line(edge(rows[0], -1), 0), line(edge(rows[rows.length - 1], 1), 0), line(flank(false), 1), line(flank(true), 1)];
  }

  // What lies below the pieces of a field: part of the field, and no button of its own.
  below(spot) {
    const held = this.table.contents(spot.place.id);
    const group = s("g", { class: this.cellClasses(spot), "aria-hidden": "true" }, this.floor(spot, held));
    const inner = s("g", { class: "held" });
    this.fillCell(inner, spot, held);
    group.append(inner);
    this.table.belongs(group, spot.place.id);
    return group;
  }

  cell(spot) {
    const { place } = spot;
    const held = this.table.contents(place.id);
    const group = s("g", { class: this.cellClasses(spot), transform: `translate(${rounded(spot.x)} ${rounded(spot.y)})` });
    group.append(this.floor(spot, held));
    // What lies below the pieces of a field is drawn in it, in the field's own coordinates.
    for (const guest of this.guestsOf(place.id)) {
      const own = this.guestSpots.get(guest.id);
      if (own && own.under) group.append(this.below({ ...own, x: 0, y: 0 }));
    }
    const cover = this.covered.get(place.id);
    if (cover) group.append(this.cover(cover, spot));
    const inner = s("g", { class: "held" });
    this.fillCell(inner, spot, held);
    group.append(inner);
    for (const part of group.children) part.setAttribute("aria-hidden", "true");
    const guests = this.guestsOf(place.id).filter((guest) => this.guestSpots.get(guest.id)?.under);
    const labels = [[place, held], ...guests.map((guest) => [guest, this.table.contents(guest.id)])];
    const told = labels.map(([each, inside]) => this.table.describe(each, inside)).join("; ");
    group.prepend(s("title", {}, told));
    this.table.mark(group, place.id, told);
    return group;
  }

  // Pieces that lie upon fields of this board: from beside it, or upon several from one of them.
  covers() {
    const found = new Map();
    for (const held of this.table.held.values()) {
      for (const piece of held.pieces || []) for (const id of piece.covers || []) found.set(id, { piece, place: held.place });
    }
    return found;
  }

  // The fields of one piece are joined, so that its shape can be seen; its letter stands on each.
  cover({ piece, place }, spot) {
    const group = s("g", { class: `cover c-${piece.colour || "brown"}` });
    const [right, low] = [spot.wide / 2, spot.high / 2];
    const mine = (dx, dy) => {
      const beside = this.places.find((other) => other.x === spot.place.x + dx && other.y === spot.place.y + dy);
      return beside && piece.covers.includes(beside.id);
    };
    const [w, e, n, so] = [[-1, 0], [1, 0], [0, -1], [0, 1]].map(([dx, dy]) => mine(dx, dy));
    const [x, y] = [-right + (w ? 0 : 4), -low + (n ? 0 : 4)];
    const [x2, y2] = [right - (e ? 0 : 4), low - (so ? 0 : 4)];
    if (spot.hexagon) {
      const points = hexagonPoints(46).map((point) => point.map(rounded).join(",")).join(" ");
      group.append(s("polygon", { class: "slab", points }));
      if (piece.letters) group.append(s("text", { class: "cover-sign", "font-size": 24 }, piece.letters));
      this.table.carry(group, piece, place);
      return group;
    }
    group.append(s("rect", { class: "slab", x, y, width: x2 - x, height: y2 - y }));
    for (let row = 1; row < 4 && piece.shape === "roof"; row += 1) group.append(s("path", { class: "shingle", d: `M${x} ${-low + row * (spot.high / 4)} H${x2}` }));
    const rim = [[w, `M${x} ${y} V${y2}`], [e, `M${x2} ${y} V${y2}`], [n, `M${x} ${y} H${x2}`], [so, `M${x} ${y2} H${x2}`]];
    group.append(s("path", { class: "eaves", d: rim.filter(([joined]) => !joined).map(([, line]) => line).join(" ") }));
    if (piece.letters) group.append(s("text", { class: "cover-sign", "font-size": 24 }, piece.letters));
    this.table.carry(group, piece, place);
    return group;
  }

  cellClasses(spot) {
    const { place } = spot;
    const classes = ["cell", `s-${place.shape}`];
    if (place.colour) classes.push(`g-${place.colour}`);
    if (spot.under) classes.push("under");
    if (spot.street) classes.push("street");
    if (spot.slot) classes.push("slot");
    if (spot.joint) classes.push(spot.touching ? "joint touching" : "joint");
    if (place.shape === "chequered" && (place.x + place.y) % 2) classes.push("dark");
    for (const ground of place.grounds || []) if (ground.colour) classes.push(`g-${ground.colour}`);
    return classes.join(" ");
  }

  floor(spot, held) {
    const { place, wide, high } = spot;
    if (spot.joint) return this.bar(spot, held);
    if (spot.under) return s("rect", { class: "area", x: -wide / 2 + 3, y: -high / 2 + 3, width: wide - 6, height: high - 6, rx: 6 });
    if (spot.street) return s("ellipse", { class: "area", rx: wide / 2, ry: high / 2 });
    if (spot.slot) return s("rect", { class: "area", x: -wide / 2, y: -high / 2, width: wide, height: high, rx: 8 });
    if (spot.spike) {
      const tip = spot.spike * 160;
      return s("polygon", { class: `area ${place.x % 2 ? "dark" : ""}`, points: `-37,${-tip} 37,${-tip} 0,${tip}` });
    }
    if (spot.hexagon) return s("g", {}, s("polygon", { class: "area", points: hexagonPoints(49).map((point) => point.map(rounded).join(",")).join(" ") }), ...this.printed(spot, held));
    if (place.shape === "house" && this.board.form === "ring") return this.house(spot, held);
    if (place.shape === "house") return s("path", { class: "area", d: `M${-wide / 2} ${-high / 2 + 26} L0 ${-high / 2} L${wide / 2} ${-high / 2 + 26} V${high / 2} H${-wide / 2} Z` });
    if (place.shape === "circle") return s("circle", { class: "area", r: Math.min(wide, high) / 2 - 2 });
    if (place.shape === "crossing") return s("circle", { class: "area", r: this.board.form === "map" ? 30 : 47 });
    const rounding = this.board.form === "grid" ? 0 : 10;
    const floor = s("g", {}, s("rect", { class: "area", x: -wide / 2, y: -high / 2, width: wide, height: high, rx: rounding }));
    this.regions(floor, spot);
    floor.append(...this.printed(spot, held));
    return floor;
  }

  // The numbers of the only column with numbers are printed on the fields.
  printed(spot, held) {
    const numbers = (place) => (place.facts || []).filter((fact) => /^-?\d+$/.test(fact.text));
    const labels = new Set(this.places.flatMap((place) => numbers(place).map((fact) => fact.label)));
    if (held.pieces.length || labels.size !== 1 || !["grid", "hexes"].includes(this.board.form)) return [];
    return numbers(spot.place).map((fact) => s("text", { class: "note", "font-size": 30, y: 2 }, fact.text));
  }

  // An edge: a bar in the colour of what lies upon it, and what the rules say about it.
  bar(spot, held) {
    const [x, y] = spot.joint.map((part) => part * (spot.touching ? 0.86 : 0.8));
    const piece = held.pieces[0];
    const line = { x1: rounded(-x), y1: rounded(-y), x2: rounded(x), y2: rounded(y) };
    const colour = piece && piece.colour ? ` taken c-${piece.colour}` : piece ? " taken" : "";
    const group = s("g", {}, s("line", { class: "reach", ...line }), s("line", { class: `area${colour}`, ...line }));
    const facts = (spot.place.facts || []).filter((fact) => /^\d+$/.test(fact.text));
    if (facts.length && !held.pieces.length) group.append(s("circle", { class: "milestone", r: 17 }), s("text", { class: "note", "font-size": 20, y: 1 }, facts.map((fact) => fact.text).join(" · ")));
    return group;
  }

  // Thick lines between fields of different regions; the name of a region at its first field.
  regions(floor, spot) {
    const { place } = spot;
    for (const ground of place.grounds || []) {
      const first = this.places.find((other) => (other.grounds || []).some((each) => each.name === ground.name && each.label === ground.label));
      const count = this.places.filter((other) => (other.grounds || []).some((each) => each.name === ground.name && each.label === ground.label)).length;
      if (ground.symbol) floor.append(s("text", { class: "sign", x: 0, y: 2, "font-size": 34 }, ground.symbol));
      if (count > 12) continue;
      for (const [dx, dy, line] of [[0, -1, [-50, -50, 50, -50]], [0, 1, [-50, 50, 50, 50]], [-1, 0, [-50, -50, -50, 50]], [1, 0, [50, -50, 50, 50]]]) {
        const beside = this.places.find((other) => other.x === place.x + dx && other.y === place.y + dy);
        const same = beside && (beside.grounds || []).some((each) => each.name === ground.name && each.label === ground.label);
        if (!same) floor.append(s("line", { class: "border", x1: line[0], y1: line[1], x2: line[2], y2: line[3] }));
      }
      if (first === place && !ground.symbol) floor.append(s("text", { class: "region", x: -44, y: -36 }, ground.label));
    }
  }

  house(spot, held) {
    const { wide, high } = spot;
    const tracker = held.pieces.find((piece) => (piece.stats || []).some((stat) => stat.high));
    const stat = tracker ? tracker.stats.find((each) => each.high) : null;
    const floors = stat ? stat.high : 5;
    const colour = tracker && tracker.colour ? `c-${tracker.colour}` : "";
    const group = s("g", { class: `building ${colour}` });
    const wall = high - 34, top = -high / 2 + 34;
    group.append(s("rect", { class: "area", x: -wide / 2, y: top, width: wide, height: wall, rx: 4 }));
    group.append(s("polygon", { class: "roof", points: `${-wide / 2 - 8},${top} 0,${-high / 2 - 8} ${wide / 2 + 8},${top}` }));
    for (let n = 0; n < floors; n += 1) {
      const y = top + wall - ((n + 1) * wall) / floors;
      const reached = stat && n < stat.number;
      group.append(s("rect", { class: reached ? "storey reached" : "storey", x: -wide / 2 + 5, y: y + 2, width: wide - 10, height: wall / floors - 3, rx: 2 }));
      group.append(s("text", { class: reached ? "level reached" : "level", x: wide / 2 - 11, y: y + wall / floors / 2 + 1, "font-size": Math.min(13, wall / floors - 3) }, n + 1));
    }
    if (stat) {
      const y = top + wall - (Math.max(stat.number, 0.5) - 0.5) * (wall / floors);
      group.append(s("text", { class: "rat", x: -6, y: y, "font-size": 24 }, (tracker.symbols || [])[0] || tracker.ownerSymbol || "●"));
    }
    group.append(s("text", { class: "owner-name", y: high / 2 + 13, "font-size": 14 }, this.table.nameOf(tracker) || spot.place.label));
    return group;
  }

  fillCell(inner, spot, held) {
    const { place } = spot;
    const pieces = held.pieces.filter((piece) => !(piece.covers || []).includes(place.id));
    const house = place.shape === "house" && this.board.form === "ring";
    if (house && pieces.every((piece) => (piece.stats || []).some((stat) => stat.high))) {
      for (const piece of pieces) this.table.carry(inner, piece, place.id);
      return;
    }
    const named = ["map", "row", "line"].includes(this.board.form) && !spot.slot && !spot.under && !spot.street && !spot.below && !spot.spike && !spot.joint;
    if (held.secret) inner.append(s("text", { class: "count", "font-size": 26 }, "?"));
    if (spot.spike) { this.spike(inner, spot, pieces); return; }
    if (named && (place.shape !== "crossing" || !pieces.length) && this.showsName(place)) {
      // The title of the board says what they are called.
      const numbered = place.label.startsWith(`${place.name} `) && /^\d+$/.test(place.label.slice(place.name.length + 1));
      const name = numbered ? place.label.slice(place.name.length + 1) : place.label;
      const text = place.symbol ? `${place.symbol} ${name}` : name;
      const map = this.board.form === "map" && place.shape !== "house";
      if (map) inner.append(s("text", { class: "place-name outside", y: -spot.high / 2 - 8, "font-size": this.outsideSize() }, place.label));
      else this.nameInside(inner, spot, text);
      if (map && place.symbol && !pieces.length) inner.append(s("text", { class: "sign", "font-size": 38, y: 2 }, place.symbol));
    } else if (place.symbol && !pieces.length) inner.append(s("text", { class: "sign", "font-size": 30, y: 2 }, place.symbol));
    if (spot.slot && !pieces.length && place.rest && place.rest.length < 4) inner.append(s("text", { class: "place-name", "font-size": 10, y: 1 }, place.rest));
    const notes = (held.stats || []).filter((stat) => !stat.usual || stat.flag);
    notes.slice(0, 2).forEach((stat, n) => inner.append(s("text", { class: "note", y: spot.high / 2 - 8 - n * 12, "font-size": 11 }, stat.flag ? `${stat.symbol || ""} ${stat.label}` : `${stat.label} ${stat.text}`)));
    if (spot.joint && spot.touching) {
      for (const piece of pieces) this.table.carry(inner, piece, place.id);
      return;
    }
    // In a house with rooms of its own, what stands in the house itself sits on the roof.
    const roofed = this.board.form === "map" && place.shape === "house" && this.guestsOf(place.id).length;
    if (roofed) this.lay(inner, { ...spot, wide: 52, high: 52, lift: -spot.high / 2 + 2 }, pieces, 0);
    else if (this.board.form === "map" && place.shape === "house") this.lay(inner, { ...spot, high: 46, lift: spot.high / 2 - 38 }, pieces, 0);
    else this.lay(inner, spot, pieces, named && this.showsName(place) ? (this.board.form === "map" ? 8 : 14) : 0);
  }

  // Names beside their places are as large on a large map as on a small one.
  outsideSize() {
    return rounded(Math.min(30, Math.max(17, (this.board.width * CELL) / 58)));
  }

  // Names are broken into lines and made smaller until they fit.
  nameInside(inner, spot, text) {
    const house = spot.place.shape === "house";
    const lines = inLines(text, house ? 10 : 13);
    const most = house ? 15 : (/^\d+$/.test(text) ? 22 : 14);
    const size = fittingSize(lines, spot.wide - 6, house ? 36 : 28, most);
    const top = -spot.high / 2 + (house ? (this.guestsOf(spot.place.id).length ? 37 : 31) - ((lines.length - 1) * size) / 4 : 4 + size * 0.7);
    lines.forEach((line, n) => inner.append(s("text", { class: "place-name", y: rounded(top + n * size * 1.1), "font-size": size }, line)));
    const marks = (spot.place.facts || []).filter((fact) => fact.flag).map((fact) => fact.label);
    if (marks.length && !this.guestsOf(spot.place.id).length) inner.append(s("text", { class: "mark", y: rounded(top + lines.length * size * 1.1), "font-size": 12 }, marks.join(" · ")));
  }

  showsName(place) {
    if (this.board.form === "line") return !place.holds.length || this.board.shape === "ladder" || this.places.length <= 8;
    return !/^[a-z]\d+$/.test(place.label);
  }

  spike(inner, spot, pieces) {
    const step = Math.min(62, 300 / Math.max(1, pieces.length));
    pieces.forEach((piece, n) => {
      const y = spot.spike * (-160 + 34 + n * step);
      const group = s("g", { transform: `translate(0 ${rounded(y)})` }, drawPiece(piece, this.table.facts(piece)));
      this.table.carry(group, piece, spot.place.id);
      inner.append(group);
    });
    inner.append(s("text", { class: "ruler", y: spot.spike * -186, "font-size": 15 }, spot.place.x + 1));
  }

  lay(inner, spot, pieces, down) {
    const { place } = spot;
    if (!pieces.length) return;
    const stacked = place.stack && pieces.length > 1 && !spot.below && !oneOfEach(pieces);
    const fan = spot.below && pieces.length > 1;
    const shown = stacked ? [[pieces[pieces.length - 1]]] : grouped(pieces);
    const wide = spot.wide - 8, high = spot.high - 8 - down * 2;
    const columns = fan ? 1 : Math.ceil(Math.sqrt((shown.length * wide) / high));
    const rows = Math.ceil(shown.length / columns);
    shown.forEach((same, n) => {
      const piece = same[same.length - 1];
      const [own, tall] = SIZES[piece.shape] || [64, 64];
      const scale = Math.min(1.15, (wide / columns / own) * (shown.length > 1 ? 0.98 : 0.94), (high / rows / tall) * (shown.length > 1 ? 0.98 : 0.96));
      const x = fan ? 0 : ((n % columns) - (Math.min(columns, shown.length - Math.floor(n / columns) * columns) - 1) / 2) * (wide / columns);
      const y = fan ? (n - (shown.length - 1) / 2) * 30 : (Math.floor(n / columns) - (rows - 1) / 2) * (high / rows) + down + (spot.lift || 0);
      const group = s("g", { transform: `translate(${rounded(x)} ${rounded(y)}) scale(${rounded(fan ? 0.95 : scale)})` }, drawPiece(piece, this.table.facts(piece)));
      if (same.length > 1 || stacked) group.append(badge(stacked ? pieces.length : same.length, own, tall));
      for (const each of same) this.table.carry(group, each, place.id);
      inner.append(group);
    });
  }
}

export function badge(number, wide, high) {
  return s("g", { class: "badge", transform: `translate(${wide / 2 - 4} ${high / 2 - 4})` }, s("circle", { r: 13 }), s("text", { "font-size": 14 }, number));
}
