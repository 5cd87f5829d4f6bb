"use strict";
// The client of `ruledsl lsp`: starts the server, plays games, and shows tests in the explorer.

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");
const { nameOf, testsOf, outcomeOf } = require("./tests");

/** More files than these are not looked through for tests before they are opened. */
const MOST_FILES = 500;

let client;

function program() {
  return vscode.workspace.getConfiguration("ruledsl").get("command") || "ruledsl";
}

async function start() {
  const server = { command: program(), args: ["lsp"] };
  client = new LanguageClient(
    "ruledsl",
    "Rules of tabletop games",
    { run: server, debug: server },
    {
      documentSelector: [{ language: "rules" }],
      initializationOptions: { play: true },
      synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.rules") },
    },
  );
  try {
    await client.start();
  } catch (error) {
    const told = "`ruledsl lsp` can't be started: install it with its extra `editor`, " +
      "or say where it is in the setting `ruledsl.command`.";
    vscode.window.showErrorMessage(`${told} (${error.message})`);
  }
}

function play(command) {
  return async (file) => {
    const editor = vscode.window.activeTextEditor;
    const path = file || (editor && editor.document.uri.fsPath);
    if (!path) return;
    await vscode.workspace.saveAll(false);
    const terminal = vscode.window.createTerminal({ name: nameOf(path) });
    terminal.show();
    terminal.sendText(`${program()} ${command} "${path}"`);
  };
}

function explorer(context) {
  const controller = vscode.tests.createTestController("ruledsl", "Rules");
  context.subscriptions.push(controller);
  const opened = (document) => {
    if (document.languageId === "rules") refresh(document.uri, document.getText());
  };
  const read = async (uri) => {
    const isOpen = vscode.workspace.textDocuments.some((each) => `${each.uri}` === `${uri}`);
    if (!isOpen) refresh(uri, new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)));
  };
  const refresh = (uri, text) => {
    const file = controller.items.get(uri.toString()) ||
      controller.createTestItem(uri.toString(), nameOf(uri.path), uri);
    file.children.replace(testsOf(text).map((test) => {
      const item = controller.createTestItem(`${uri}#${test.title}`, test.title, uri);
      item.range = new vscode.Range(test.line, 0, test.line, 0);
      return item;
    }));
    if (file.children.size) controller.items.add(file);
    else controller.items.delete(file.id);
  };
  vscode.workspace.textDocuments.forEach(opened);
  const watcher = vscode.workspace.createFileSystemWatcher("**/*.rules");
  context.subscriptions.push(
    vscode.workspace.onDidOpenTextDocument(opened),
    vscode.workspace.onDidChangeTextDocument((event) => opened(event.document)),
    watcher,
    watcher.onDidCreate(read),
    watcher.onDidChange(read),
    watcher.onDidDelete((uri) => controller.items.delete(uri.toString())),
  );
  const found = vscode.workspace.findFiles("**/*.rules", undefined, MOST_FILES)
    .then((files) => Promise.all(files.map(read)));
  controller.createRunProfile("Run", vscode.TestRunProfileKind.Run, async (request) => {
    const run = controller.createTestRun(request);
    const wanted = request.include || [...controller.items].map(([, item]) => item);
    const items = wanted.flatMap((item) =>
      item.children.size ? [...item.children].map(([, child]) => child) : [item]);
    for (const item of items) {
      run.started(item);
      try {
        const results = await client.sendRequest("workspace/executeCommand", {
          command: "ruledsl.runTest",
          arguments: [item.uri.fsPath, item.label],
        });
        const { passed, message, uri, line } = outcomeOf(results, item.label);
        const why = new vscode.TestMessage(message);
        if (uri) why.location = new vscode.Location(vscode.Uri.parse(uri), new vscode.Position(line, 0));
        if (passed) run.passed(item);
        else run.failed(item, why);
      } catch (error) {
        run.errored(item, new vscode.TestMessage(error.message));
      }
    }
    run.end();
  }, true);
  return found;
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("ruledsl.play", play("play")),
    vscode.commands.registerCommand("ruledsl.playInBrowser", play("serve")),
    vscode.commands.registerCommand("ruledsl.restart", async () => {
      if (client) await client.stop();
      await start();
    }),
  );
  await Promise.all([explorer(context), start()]);
}

function deactivate() {
  return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
