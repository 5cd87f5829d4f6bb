// A page that needs no server: one game, or the playground.

import { h } from "./dom.js";
import { Lobby } from "./lobby.js";
import { Playground } from "./playground.js";
import { SoloLink, SoloSource, startPython } from "./solo.js";
import { TableView } from "./table.js";
import { remembered, say, usualLanguage } from "./phrases.js";

const root = document.getElementById("app");
const config = JSON.parse(document.getElementById("config").textContent);
const language = config.language || usualLanguage();
const theme = remembered("theme");
if (theme) document.documentElement.dataset.theme = theme;
document.documentElement.lang = language;

const bar = h("progress", { max: 6, value: 0, "aria-label": say(language, "loading") });
root.replaceChildren(h("main", { class: "loading" }, h("h1", {}, config.title), h("p", {}, say(language, "loading")), bar));

try {
  const worker = await startPython(config, () => { bar.value += 1; });
  const link = new SoloLink(worker);
  const lobby = (spoken) => {
    const begin = (wish) => {
      const view = new TableView(root, link, wish.language, { again: () => lobby(view.language) });
      link.send({ do: "start", ...wish, rules: config.rules });
    };
    const source = new SoloSource(link, config, begin);
    const shown = new Lobby(root, source, spoken, { single: true, players: config.players });
    shown.game(config.game);
  };
  if (config.playground) new Playground(root, new SoloSource(link, {}, () => {}), link, language);
  else lobby(language);
} catch (error) {
  root.replaceChildren(h("main", { class: "loading" }, h("h1", {}, config.title),
    h("p", { role: "alert" }, say(language, config.inlined ? "noStart" : "noNetwork")), h("p", { class: "quiet" }, String(error.message))));
}
