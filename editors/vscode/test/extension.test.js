"use strict";
// The extension with the real client of the protocol against the real server, without a screen.

const assert = require("node:assert");
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { test } = require("node:test");
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
  const server = spawn(PROGRAM, ["lsp"]);
  const connection = rpc.createMessageConnection(
    new rpc.StreamMessageReader(server.stdout), new rpc.StreamMessageWriter(server.stdin));
  const told = new Promise((resolve) => {
    connection.onNotification("textDocument/publishDiagnostics", resolve);
  });
  connection.listen();
  const uri = pathToFileURL(GAME).toString();
  const answer = await connection.sendRequest("initialize", {
    processId: process.pid, rootUri: null, capabilities: {}, initializationOptions: { play: true },
  });
  assert.ok(answer.capabilities.completionProvider);
  await connection.sendNotification("initialized", {});
  const text = fs.readFileSync(GAME, "utf8");
  await connection.sendNotification("textDocument/didOpen", {
    textDocument: { uri, languageId: "rules", version: 1, text: text.replace("players 2", "playres 2") },
  });
  const published = await told;
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
  await connection.sendRequest("shutdown");
  await connection.sendNotification("exit");
  connection.dispose();
});
