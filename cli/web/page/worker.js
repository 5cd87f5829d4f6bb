// Python in a worker: the runtime, the rules and all games. It answers the same messages as a server.

const SELF = "https://ruledsl.invalid/";
let solo = null;
let pace = 450;

const say = (message) => self.postMessage(message);
const asModule = (bytes) => import(`data:text/javascript;base64,${toBase64(bytes)}`);

function toBase64(bytes) {
  let text = "";
  for (let n = 0; n < bytes.length; n += 0x8000) text += String.fromCharCode(...bytes.subarray(n, n + 0x8000));
  return btoa(text);
}

async function begin(given) {
  const files = given.runtime;
  const outside = self.fetch;
  self.fetch = async (url, ...rest) => {
    const name = String(url.url || url);
    if (!name.startsWith(SELF)) return outside(url, ...rest);
    const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
    return new Response(files[name.slice(SELF.length)], { headers: { "content-type": type } });
  };
  const { loadPyodide } = await asModule(files["pyodide.mjs"]);
  const { default: createPyodideModule } = await asModule(files["pyodide.asm.mjs"]);
  const python = await loadPyodide({
    indexURL: SELF, stdLibURL: `${SELF}python_stdlib.zip`, createPyodideModule,
    lockFileContents: JSON.stringify({ info: given.info, packages: {} }), stdout: () => {}, stderr: () => {},
  });
  python.unpackArchive(given.python, "zip", { extractDir: "/python" });
  python.runPython("import sys; sys.path.insert(0, '/python')");
  solo = python.runPython("from ruledsl.cli.web.solo import Solo; Solo()");
  pace = given.pace ?? pace;
  say({ ready: true });
}

let queue = Promise.resolve();

async function answer(message) {
  const answers = JSON.parse(solo.answer(JSON.stringify(message)));
  for (const each of answers) say({ answer: each });
  if (answers.some((each) => each.computer)) {
    await new Promise((done) => setTimeout(done, pace));
    queue = queue.then(() => answer({ do: "think" })).catch((error) => say({ answer: { problem: "broken", detail: String(error) } }));
  }
}

self.onmessage = ({ data }) => {
  if (data.begin) { begin(data.begin).catch((error) => say({ failed: String(error) })); return; }
  queue = queue.then(() => answer(data)).catch((error) => say({ answer: { problem: "broken", detail: String(error), id: data.id } }));
};
