// The way to a table without a server: a worker in which Python runs.

export class SoloLink {
  constructor(worker) {
    this.worker = worker;
    this.onmessage = () => {};
    this.onstate = () => {};
    this.asked = new Map();
    this.number = 1;
    worker.addEventListener("message", ({ data }) => {
      if (!data.answer) return;
      const waiting = this.asked.get(data.answer.id);
      if (waiting) { this.asked.delete(data.answer.id); waiting(data.answer); }
      else this.onmessage(data.answer);
    });
  }

  send(message) {
    const { id, ...rest } = message;
    this.worker.postMessage(rest);
  }

  ask(message) {
    const id = `q${this.number += 1}`;
    return new Promise((done) => { this.asked.set(id, done); this.worker.postMessage({ ...message, id }); });
  }
}

// What a lobby asks a server for, asked of the worker.
export class SoloSource {
  constructor(link, config, begin) {
    this.link = link;
    this.config = config;
    this.begin = begin;
  }

  async list() {
    this.games ??= (await this.link.ask({ do: "games" })).games || [];
    return this.games;
  }

  async details(id) {
    const answer = await this.link.ask({ do: "details", game: id, rules: this.config.rules });
    if (answer.problem) throw new Error(answer.problem);
    return answer.details;
  }

  async create(wish) {
    this.begin(wish);
    return null;
  }

  async check(rules) {
    return (await this.link.ask({ do: "check", rules })).checked;
  }

  async test(rules) {
    const answer = await this.link.ask({ do: "test", rules });
    if (answer.problem) throw new Error(answer.detail || answer.problem);
    return answer.tested;
  }

  async simulate(rules, players) {
    const answer = await this.link.ask({ do: "simulate", rules, players });
    if (answer.problem) throw new Error(answer.detail || answer.problem);
    return answer.simulated;
  }

  async rules(id) {
    return (await this.link.ask({ do: "source", game: id })).rules_text;
  }
}

async function unpacked(id) {
  const element = document.getElementById(id);
  if (!element) return null;
  const text = element.textContent.trim();
  element.remove();
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// A part of the runtime from the network: only the very bytes that the page was made for.
async function fetched(address, integrity) {
  const answer = await fetch(address, { integrity });
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}

// Starts Python with what the page carries or fetches; `onprogress` is told about each part.
export async function startPython(config, onprogress) {
  const source = document.getElementById("worker").textContent;
  // A page from a file may only have a worker whose whole text is in its address.
  const worker = new Worker(`data:text/javascript;charset=utf-8,${encodeURIComponent(source)}`, { type: "module" });
  const part = async (name) => {
    const data = config.inlined ? await unpacked(`runtime-${name}`) : await fetched(config.cdn + name, config.hashes[name]);
    onprogress();
    return [name, data];
  };
  const runtime = Object.fromEntries(await Promise.all(config.files.map(part)));
  const python = await unpacked("python");
  onprogress();
  return new Promise((done, failed) => {
    const listen = ({ data }) => {
      if (data.failed) failed(new Error(data.failed));
      if (data.ready) { worker.removeEventListener("message", listen); done(worker); }
    };
    worker.addEventListener("message", listen);
    worker.onerror = (event) => failed(new Error(event.message));
    worker.postMessage({ begin: { runtime, python, info: config.info, pace: config.pace } });
  });
}
