/** Texts of what lies outside the page: native menu, tray and dialogs. */
const english = {
  file: "File",
  open: "Open Films…",
  openFolder: "Open Folder…",
  dataFolder: "Show Data Folder",
  quit: "Quit Corvet",
  edit: "Edit",
  view: "View",
  window: "Window",
  help: "Help",
  worklist: "Worklist",
  patients: "Patients",
  usg: "Urine Screening",
  capture: "Photograph a Screen",
  ledger: "Ledger and Keys",
  settings: "Settings…",
  shortcuts: "Keyboard Shortcuts",
  about: "About Corvet",
  show: "Open Corvet",
  running: "Service running at",
  films: "Films",
  cannotStart: "Corvet cannot start",
  unsaved: "A correction has not been saved.",
  discard: "Discard",
  stay: "Keep Editing",
};

/** The texts of one language. */
export type MenuTexts = typeof english;

const german: MenuTexts = {
  file: "Ablage",
  open: "Aufnahmen öffnen …",
  openFolder: "Ordner öffnen …",
  dataFolder: "Datenordner zeigen",
  quit: "Corvet beenden",
  edit: "Bearbeiten",
  view: "Ansicht",
  window: "Fenster",
  help: "Hilfe",
  worklist: "Arbeitsliste",
  patients: "Patienten",
  usg: "Urin-Screening",
  capture: "Bildschirm fotografieren",
  ledger: "Abrechnung und Schlüssel",
  settings: "Einstellungen …",
  shortcuts: "Tastenkürzel",
  about: "Über Corvet",
  show: "Corvet öffnen",
  running: "Dienst läuft unter",
  films: "Aufnahmen",
  cannotStart: "Corvet kann nicht starten",
  unsaved: "Eine Korrektur ist nicht gespeichert.",
  discard: "Verwerfen",
  stay: "Weiter bearbeiten",
};

/**
 * Texts in the user's language.
 *
 * @param setting  the setting "language"
 * @param locale   the system's, `de-AT`
 */
export function menuTexts(setting: "system" | "en" | "de", locale: string): MenuTexts {
  const language = setting === "system" ? locale.slice(0, 2).toLowerCase() : setting;
  return language === "de" ? german : english;
}
