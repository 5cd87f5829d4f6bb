"use strict";
// The extension with the real client of the protocol against the real server, without a screen.

const assert = require("node:assert");
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const Module = require("node:module");
const path = require("node:path");
const { after, test } = require("node:test");
const { pathToFileURL } = require("node:url");
const rpc = require("vscode-jsonrpc/node");
const { nameOf, testsOf, outcomeOf } = require("../tests");

const ROOT = path.join(__dirname, "..", "..", "..");
const PROGRAM = process.env.RULEDSL || path.join(ROOT, ".venv", "bin", "ruledsl");
const GAME = path.join(ROOT, "games", "classics", "tic_tac_toe.rules");

test("the tests of a file are found with their lines", () => {
  const text = 'game a "A"\n\ntest "one"\n    players 2\nreplace test "two"\n';
  assert.deepStrictEqual(testsOf(text), [{ title: "one", line: 2 }, { title: "two", line: 4 }]);
  assert.strictEqual(nameOf("/a/b/c.rules"), "c");
  assert.strictEqual(outcomeOf([{ title: "one", failure: null }], "one").passed, true);
  assert.strictEqual(outcomeOf([], "one").passed, false);
});

/** A connection with a server that has opened a text. */
async function opened(text, uri) {
  const server = spawn(PROGRAM, ["lsp"]);
  after(() => server.kill());
  const connection = rpc.createMessageConnection(
    new rpc.StreamMessageReader(server.stdout), new rpc.StreamMessageWriter(server.stdin));
  connection.told = new Promise((resolve) => {
    connection.onNotification("textDocument/publishDiagnostics", resolve);
  });
  connection.listen();
  connection.answer = await connection.sendRequest("initialize", {
    processId: process.pid, rootUri: null, capabilities: {}, initializationOptions: { play: true },
  });
  await connection.sendNotification("initialized", {});
  await connection.sendNotification("textDocument/didOpen", {
    textDocument: { uri, languageId: "rules", version: 1, text },
  });
  return connection;
}

async function ended(connection) {
  await connection.sendRequest("shutdown");
  await connection.sendNotification("exit");
  connection.dispose();
}

test("every file the manifest names is there, and is JSON where it should be", () => {
  const folder = path.join(__dirname, "..");
  const manifest = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
  const { languages, grammars, snippets } = manifest.contributes;
  for (const file of [languages[0].configuration, grammars[0].path, snippets[0].path]) {
    JSON.parse(fs.readFileSync(path.join(folder, file), "utf8"));
  }
  for (const rule of JSON.parse(fs.readFileSync(path.join(folder, grammars[0].path), "utf8")).patterns) {
    new RegExp(rule.match, "u");
  }
});

test("the client talks with the server: mistakes, completion, a test that is run", async () => {
  const uri = pathToFileURL(GAME).toString();
  const text = fs.readFileSync(GAME, "utf8");
  const connection = await opened(text.replace("players 2", "playres 2"), uri);
  assert.ok(connection.answer.capabilities.completionProvider);
  const published = await connection.told;
  assert.strictEqual(published.diagnostics[0].code, "unknown-line");
  await connection.sendNotification("textDocument/didChange", {
    textDocument: { uri, version: 2 }, contentChanges: [{ text }],
  });
  const lenses = await connection.sendRequest("textDocument/codeLens", { textDocument: { uri } });
  assert.ok(lenses.some((lens) => lens.command.command === "ruledsl.play"));
  const run = lenses.find((lens) => lens.command.command === "ruledsl.runTest").command;
  const results = await connection.sendRequest("workspace/executeCommand", {
    command: run.command, arguments: run.arguments,
  });
  assert.ok(outcomeOf(results, run.arguments[1]).passed);
  await ended(connection);
});

/** An editor's interface with nothing behind it: what the extension asks of it is written down. */
function standIn(document, found) {
  const noted = { commands: {}, terminals: [], saved: 0, profiles: [], outcomes: [] };
  const dispose = () => ({ dispose() {} });
  const items = () => {
    const all = new Map();
    return {
      get: (id) => all.get(id),
      add: (item) => all.set(item.id, item),
      delete: (id) => all.delete(id),
      replace: (some) => { all.clear(); some.forEach((item) => all.set(item.id, item)); },
      get size() { return all.size; },
      [Symbol.iterator]: () => all.entries(),
    };
  };
  noted.controller = {
    items: items(),
    dispose() {},
    createTestItem: (id, label, uri) => ({ id, label, uri, children: items() }),
    createRunProfile: (_, __, run) => noted.profiles.push(run),
    createTestRun: () => ({
      started() {},
      passed: (item) => noted.outcomes.push([item.label, "passed"]),
      failed: (item, why) => noted.outcomes.push([item.label, why.message, why.location]),
      errored: (item, why) => noted.outcomes.push([item.label, why.message]),
      end() {},
    }),
  };
  const vscode = {
    workspace: {
      getConfiguration: () => ({ get: () => PROGRAM }),
      createFileSystemWatcher: () => ({
        dispose() {}, onDidCreate: dispose, onDidChange: dispose, onDidDelete: dispose,
      }),
      findFiles: async () => found,
      fs: { readFile: async (uri) => fs.readFileSync(uri.fsPath) },
      textDocuments: [document],
      onDidOpenTextDocument: dispose,
      onDidChangeTextDocument: dispose,
      saveAll: async () => { noted.saved += 1; },
    },
    window: {
      activeTextEditor: { document },
      createTerminal: () => ({ show() {}, sendText: (text) => noted.terminals.push(text) }),
      showErrorMessage: (text) => { throw new Error(text); },
    },
    commands: { registerCommand: (name, run) => { noted.commands[name] = run; return dispose(); } },
    tests: { createTestController: () => noted.controller },
    Range: class {},
    Position: class { constructor(line) { this.line = line; } },
    Location: class { constructor(uri, place) { Object.assign(this, { uri, place }); } },
    Uri: { parse: (text) => text },
    TestMessage: class { constructor(message) { this.message = message; } },
    TestRunProfileKind: { Run: 1 },
  };
  return { vscode, noted };
}

test("the extension plays a game and runs its tests in the explorer", async () => {
  const wrong = fs.readFileSync(GAME, "utf8") +
    '\ntest "never"\n    players 2\n    then\n        finished\n';
  const uriOf = (file) => Object.assign(pathToFileURL(file), { fsPath: file, path: file });
  const [uri, other] = [uriOf(GAME), uriOf(path.join(path.dirname(GAME), "connect_four.rules"))];
  const { vscode, noted } = standIn(
    { languageId: "rules", uri, getText: () => wrong }, [uri, other]);
  class LanguageClient {
    async start() { this.connection = await opened(wrong, uri.toString()); }
    sendRequest(...request) { return this.connection.sendRequest(...request); }
    stop() { return ended(this.connection); }
  }
  const load = Module._load;
  Module._load = (name, ...rest) =>
    name === "vscode" ? vscode : name === "vscode-languageclient/node" ? { LanguageClient } : load(name, ...rest);
  const extension = require("../extension");
  Module._load = load;
  await extension.activate({ subscriptions: [] });
  await noted.commands["ruledsl.play"]();
  await noted.commands["ruledsl.playInBrowser"](GAME);
  assert.deepStrictEqual(noted.terminals, [`${PROGRAM} play "${GAME}"`, `${PROGRAM} serve "${GAME}"`]);
  assert.strictEqual(noted.saved, 2, "what is played is what stands in the editor");
  const [[, file], [, closed]] = [...noted.controller.items];
  assert.strictEqual(file.children.size, testsOf(wrong).length);
  assert.strictEqual(closed.label, "connect_four", "tests of files that are not open stand there, too");
  await noted.profiles[0]({ include: [...closed.children].map(([, item]) => item) });
  assert.ok(closed.children.size > 0 && noted.outcomes.every(([, outcome]) => outcome === "passed"));
  noted.outcomes.length = 0;
  await noted.profiles[0]({ include: [file] });
  assert.strictEqual(noted.outcomes.length, file.children.size);
  assert.ok(noted.outcomes.slice(0, -1).every(([, outcome]) => outcome === "passed"));
  const [, why, there] = noted.outcomes.at(-1);
  assert.match(why, /^line \d+: this does not hold/);
  assert.strictEqual(there.uri, uri.toString());
  assert.strictEqual(`line ${there.place.line + 1}`, why.split(":")[0]);
  await extension.deactivate();
});
