// Which page it is: the lobby, a table, or the playground.

import { Lobby, ServerSource } from "./lobby.js";
import { ServerLink } from "./link.js";
import { Playground } from "./playground.js";
import { TableView } from "./table.js";
import { remembered, usualLanguage } from "./phrases.js";

const root = document.getElementById("app");
const language = usualLanguage();
const theme = remembered("theme");
if (theme) document.documentElement.dataset.theme = theme;
document.documentElement.lang = language;

const table = /^\/table\/([\w-]+)/.exec(location.pathname);
if (table) {
  new TableView(root, new ServerLink(table[1], location.hash.slice(1), language), language, { home: "/", again: () => { location.href = "/"; } });
} else if (location.pathname === "/playground") {
  const source = new ServerSource();
  new Playground(root, source, null, language, async (place, wish) => {
    const made = await source.create(wish);
    new TableView(place, new ServerLink(made.table, made.seats["1"], language), language, {});
  });
} else {
  new Lobby(root, new ServerSource(), language, { playground: "/playground" });
}
