"use strict";
// What the test explorer needs to know about a rules file, apart from the editor.

function nameOf(path) {
  return path.split(/[\\/]/).pop().replace(/\.rules$/, "");
}

/** The tests of a text: their titles, and their lines counted from 0. */
function testsOf(text) {
  const found = [];
  text.split(/\r?\n/).forEach((line, number) => {
    const match = /^(?:replace\s+)?test\s+"([^"]*)"/.exec(line);
    if (match) found.push({ title: match[1], line: number });
  });
  return found;
}

/** Whether a test passed, by what the server answered; why not otherwise. */
function outcomeOf(results, title) {
  const result = (results || []).find((each) => each.title === title);
  if (!result) return { passed: false, message: "the test was not run: the rules have mistakes" };
  if (result.failure === null) return { passed: true, message: "" };
  return { passed: false, message: result.failure, uri: result.uri, line: result.line };
}

module.exports = { nameOf, testsOf, outcomeOf };
