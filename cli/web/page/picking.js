// Pointing at things until they mean one option. Each part of an option says what it touches.

export class Picking {
  constructor(ask) {
    this.options = ask.options || [];
    this.sets = this.options.map((option) => option.parts.map((part) => new Set(part.touches || [])));
    this.picked = [];
  }

  // The options that are about all of some things, each thing for another part.
  fitting(ids) {
    return this.options.filter((_, n) => matches(this.sets[n], ids, 0, 0));
  }

  get left() {
    return this.fitting(this.picked);
  }

  // Whatever pointing at would go on with. Anything that an option is about can be pointed at
  // first, but what its first part is about is what people look for.
  glowing() {
    const found = new Set();
    if (!this.picked.length) {
      for (const parts of this.sets) for (const id of parts.find((part) => part.size) || []) found.add(id);
      return found;
    }
    for (const option of this.left) {
      const n = this.options.indexOf(option);
      for (const part of this.sets[n]) {
        for (const id of part) if (!this.picked.includes(id) && matches(this.sets[n], [...this.picked, id], 0, 0)) found.add(id);
      }
    }
    return found;
  }

  // Point at a thing, or what it lies in: the first that fits. Says whether anything did.
  point(chain) {
    for (const id of chain) {
      if (this.picked.includes(id)) {
        this.picked = this.picked.filter((other) => other !== id);
        return true;
      }
    }
    for (const start of [this.picked, []]) {
      for (const id of chain) {
        if (this.fitting([...start, id]).length) {
          this.picked = [...start, id];
          return true;
        }
      }
    }
    return false;
  }

  // The one option that is meant, once everything of it that can be pointed at was.
  decided() {
    const left = this.left;
    if (!this.picked.length || left.length !== 1) return null;
    const parts = this.sets[this.options.indexOf(left[0])].filter((part) => part.size);
    return parts.length <= this.picked.length ? left[0] : null;
  }
}

// What an option is found by: its name, and what is told of its parts.
export function sought(option) {
  return [option.label, ...option.parts.map((part) => part.note || "")].join(" ").toLowerCase();
}

function matches(parts, ids, at, used) {
  if (at === ids.length) return true;
  for (let n = 0; n < parts.length; n += 1) {
    if (!(used & (1 << n)) && parts[n].has(ids[at]) && matches(parts, ids, at + 1, used | (1 << n))) return true;
  }
  return false;
}
