import type { MessageTable } from "../message.ts";

/** The list of keys. */
export const shortcutMessages = {
  title: { en: "Keyboard and mouse", de: "Tastatur und Maus" },
  description: {
    en: "Choose a combination and press the new keys. Backspace clears it.",
    de: "Kombination wählen und neue Tasten drücken. Rücktaste löscht sie.",
  },
  nextFilm: { en: "Next film", de: "Nächste Aufnahme" },
  previousFilm: { en: "Previous film", de: "Vorige Aufnahme" },
  change: { en: "Keys for {command}: {keys}", de: "Tasten für {command}: {keys}" },
  press: { en: "Press keys", de: "Tasten drücken" },
  noKeys: { en: "no keys", de: "keine" },
  taken: { en: "{keys} already means “{command}”", de: "{keys} bedeutet bereits „{command}“" },
  resetAll: { en: "Original keys", de: "Ursprüngliche Tasten" },
  group_go: { en: "Places", de: "Bereiche" },
  group_shortcuts: { en: "Help", de: "Hilfe" },
  group_films: { en: "Worklist", de: "Arbeitsliste" },
  group_view: { en: "View", de: "Ansicht" },
  group_overlay: { en: "Overlay", de: "Einzeichnung" },
  group_correct: { en: "Correction", de: "Korrektur" },
  group_mouse: { en: "Mouse and points", de: "Maus und Punkte" },
  mouse_window: { en: "Left drag on the film: window and level", de: "Ziehen mit links: Fenster und Lage" },
  mouse_pan: {
    en: "Middle drag, or Shift and left drag: move the film",
    de: "Ziehen mit Mitte, oder Umschalt und links: verschieben",
  },
  mouse_zoom: { en: "Wheel: zoom at the pointer", de: "Rad: am Zeiger vergrößern" },
  mouse_reset: { en: "Double click: fit to window", de: "Doppelklick: einpassen" },
  mouse_point: {
    en: "Tab and arrow keys: choose and move a point by 1 px (Shift 10 px)",
    de: "Tab und Pfeiltasten: Punkt wählen und um 1 px verschieben (Umschalt 10 px)",
  },
} as const satisfies MessageTable;
