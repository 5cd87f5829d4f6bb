// Signs on buttons, drawn in the colour of the writing around them.

import { s } from "./dom.js";

const PATHS = {
  home: "M3 11 L12 3 L21 11 M6 9 V20 H18 V9",
  undo: "M9 14 L4 9 L9 4 M4 9 H14 a6 6 0 0 1 0 12 H10",
  hint: "M9 18 H15 M10 21 H14 M8.5 15 a7 7 0 1 1 7 0 V18 H8.5 Z",
  rules: "M4 5 a3 3 0 0 1 3 -2 H12 V19 H7 a3 3 0 0 0 -3 2 Z M20 5 a3 3 0 0 0 -3 -2 H12 M20 5 V21 a3 3 0 0 0 -3 -2 H12",
  replay: "M12 7 V12 L15.5 14 M4.5 8 A9 9 0 1 1 3 12 M4 3 V8 H9",
  theme: "M12 3 a9 9 0 1 0 0 18 Z M12 3 a9 9 0 0 1 0 18",
  write: "M4 20 L5 15 L16 4 L20 8 L9 19 Z M14 6 L18 10",
};

export function icon(name) {
  return s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" },
    s("path", { d: PATHS[name] }), name === "theme" ? s("path", { class: "filled", d: "M12 3 a9 9 0 1 0 0 18 Z" }) : null);
}
