import { useEffect } from "react";
import { create } from "zustand";
import { annotationTools, type AnnotationToolName } from "../../../core/annotations/annotation-tools.ts";
import type { PlainKey } from "../../../core/language/catalogue.ts";
import { keysOf, isTyping, platform, tooltipEscapes, isTextInput, type Platform } from "./shortcut-keys.ts";

export const shortcutTable = {
  "go.films": { keys: "Alt+1", message: "common.screen_films" },
  "go.trends": { keys: "Alt+2", message: "common.screen_trends" },
  "go.usg": { keys: "Alt+3", message: "common.screen_usg" },
  "go.capture": { keys: "Alt+4", message: "common.screen_capture" },
  "go.agreement": { keys: "Alt+5", message: "common.screen_agreement" },
  "go.ledger": { keys: "Alt+6", message: "common.screen_ledger" },
  "go.settings": { keys: "Alt+7", message: "common.screen_settings" },
  "people.switch": { keys: "U", message: "people.switch" },
  "people.lock": { keys: "Shift+L", message: "people.lock" },
  "shortcuts.help": { keys: "F1", message: "help.title" },
  "shortcuts.show": { keys: "?", message: "shortcuts.title" },
  "films.open": { keys: "Mod+O", message: "films.openFiles" },
  "films.search": { keys: "/", message: "films.searchFilms" },
  "films.next": { keys: "J", message: "shortcuts.nextFilm" },
  "films.previous": { keys: "K", message: "shortcuts.previousFilm" },
  "films.selectAll": { keys: "Mod+A", message: "films.selectAll" },
  "films.remove": { keys: "Delete", message: "films.removeFilm" },
  "films.patient": { keys: "T", message: "films.assignPatient" },
  "view.fit": { keys: "F", message: "viewer.fit" },
  "view.actual": { keys: "0", message: "viewer.actual" },
  "view.zoomIn": { keys: "+", message: "viewer.zoomIn" },
  "view.zoomOut": { keys: "-", message: "viewer.zoomOut" },
  "view.windowReset": { keys: "W", message: "viewer.windowReset" },
  "view.invert": { keys: "I", message: "viewer.invert" },
  "view.rotate": { keys: "R", message: "viewer.rotate" },
  "view.rotateLeft": { keys: "Shift+R", message: "viewer.rotateLeft" },
  "view.turnLeft": { keys: "D", message: "viewer.turnLeft" },
  "view.turnRight": { keys: "G", message: "viewer.turnRight" },
  "view.flip": { keys: "M", message: "viewer.flip" },
  "view.sharpen": { keys: "S", message: "viewer.sharpen" },
  "view.crosshair": { keys: "P", message: "viewer.crosshair" },
  "view.magnifier": { keys: "Z", message: "viewer.magnifier" },
  "view.copy": { keys: "Mod+C", message: "viewer.copyPicture" },
  "view.full": { keys: "Shift+F", message: "viewer.fullScreen" },
  "window.film": { keys: "1", message: "viewer.preset_film" },
  "window.automatic": { keys: "2", message: "viewer.preset_automatic" },
  "window.lung": { keys: "3", message: "viewer.preset_lung" },
  "window.heart": { keys: "4", message: "viewer.preset_heart" },
  "window.bone": { keys: "5", message: "viewer.preset_bone" },
  "window.own": { keys: "6", message: "viewer.preset_own" },
  "overlay.toggle": { keys: "O", message: "viewer.showOverlay" },
  "overlay.labels": { keys: "L", message: "viewer.showLabels" },
  "overlay.votes": { keys: "V", message: "viewer.showVotes" },
  "overlay.original": { keys: "Shift+O", message: "viewer.showOriginal" },
  "overlay.scaleBar": { keys: "9", message: "annotations.scaleBar" },
  "overlay.fainter": { keys: ",", message: "viewer.fainter" },
  "overlay.stronger": { keys: ".", message: "viewer.stronger" },
  ...toolShortcuts(),
  "draw.calibrate": { keys: "Shift+C", message: "annotations.calibrate" },
  "compare.before": { keys: "Shift+B", message: "trends.compareBefore" },
  "compare.swap": { keys: "Shift+S", message: "trends.swap" },
  "correct.accept": { keys: "Y", message: "result.accept" },
  "correct.reject": { keys: "N", message: "result.reject" },
  "correct.start": { keys: "C", message: "result.correct" },
  "correct.byHand": { keys: "H", message: "result.byHand" },
  "correct.undo": { keys: "Mod+Z", message: "viewer.undo" },
  "correct.redo": { keys: "Mod+Shift+Z", message: "viewer.redo" },
  "correct.shiftCranial": { keys: "Q", message: "viewer.shiftCranial" },
  "correct.shiftCaudal": { keys: "E", message: "viewer.shiftCaudal" },
  "correct.nextPoint": { keys: "X", message: "viewer.nextPoint" },
  "correct.previousPoint": { keys: "Shift+X", message: "viewer.previousPoint" },
  "correct.restorePoint": { keys: "B", message: "viewer.restorePoint" },
  "correct.save": { keys: "Mod+S", message: "viewer.saveReading" },
  "correct.leave": { keys: "Escape", message: "viewer.leaveCorrection" },
} as const satisfies Readonly<Record<string, { readonly keys: string; readonly message: PlainKey }>>;

type Shortcut<Message> = { readonly keys: string; readonly message: Message };

function toolShortcuts() {
  return Object.fromEntries(
    annotationTools.map(({ name, keys }) => [`draw.${name}`, { keys, message: `annotations.tool_${name}` }]),
  ) as { readonly [Name in AnnotationToolName as `draw.${Name}`]: Shortcut<`annotations.tool_${Name}`> };
}

export type Command = keyof typeof shortcutTable;
/** Headings of the groups of commands in the order of lists, by the prefix of their names. */
export const shortcutGroups = {
  films: "films.worklist",
  view: "shortcuts.group_view",
  window: "shortcuts.group_window",
  overlay: "shortcuts.group_overlay",
  draw: "shortcuts.group_draw",
  compare: "trends.compare",
  correct: "shortcuts.group_correct",
  go: "common.sections",
  people: "people.tab",
  shortcuts: "help.help",
} as const satisfies Readonly<Record<string, PlainKey>>;

export function commandsOf(group: string): readonly Command[] {
  return (Object.keys(shortcutTable) as Command[]).filter((command) => command.startsWith(`${group}.`));
}

/** Handlers of commands; absent while a command is unavailable. */
type CommandHandlers = { readonly [C in Command]?: () => void };

const customKeys: Readonly<Record<Platform, { readonly [C in Command]?: string }>> = {
  mac: {},
  linux: {},
  windows: { "correct.redo": "Mod+Y" },
};

export function usualKeys(command: Command, on: Platform = platform): string {
  return customKeys[on][command] ?? shortcutTable[command].keys;
}

type ShortcutState = {
  /** Keys that differ from the table; empty text means no keys. */
  readonly changed: Readonly<Record<string, string>>;
  readonly setChanged: (changed: Readonly<Record<string, string>>) => void;
};

export const useShortcutKeys = create<ShortcutState>((set) => ({
  changed: {},
  setChanged: (changed) => set({ changed }),
}));

export function useKeys(command: Command): string {
  return useShortcutKeys((state) => state.changed[command] ?? usualKeys(command));
}

/** Alternative keys, both conventions for redo, unless the user has assigned them otherwise. */
const alsoKeys: Readonly<Record<string, Command>> = { "Mod+Y": "correct.redo", "Mod+Shift+Z": "correct.redo" };

export function commandOf(keys: string, changed: Readonly<Record<string, string>>): Command | null {
  const commands = Object.keys(shortcutTable) as Command[];
  return commands.find((command) => (changed[command] ?? usualKeys(command)) === keys) ?? alsoKeys[keys] ?? null;
}

const registered: CommandHandlers[] = [];

/** Registers commands while the component is mounted; the one mounted last takes precedence. */
export function useCommands(handlers: CommandHandlers): void {
  useEffect(() => {
    registered.push(handlers);
    return () => void registered.splice(registered.indexOf(handlers), 1);
  });
}

export function runCommand(command: Command): boolean {
  const handler = registered.findLast((handlers) => handlers[command])?.[command];
  handler?.();
  return handler !== undefined;
}

/** Whether a command also works while a field has the focus: saving, opening, help, and switching screens. */
function isMeantInFields(command: Command): boolean {
  return command.startsWith("go.") || ["correct.save", "films.open", "shortcuts.help"].includes(command);
}

/** Whether text is selected, so that copying applies to it. */
function hasSelectedText(): boolean {
  return getSelection()?.isCollapsed === false;
}

/** Handles shortcuts for the whole page. Dialogs and fields handle their own keys. */
export function useKeyboard(): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented && !tooltipEscapes.has(event)) return;
      if (document.querySelector("[role=dialog],[role=alertdialog],[role=menu]")) return;
      const command = commandOf(keysOf(event), useShortcutKeys.getState().changed);
      if (!command || (command === "view.copy" && hasSelectedText())) return;
      if (isTyping(event.target) && (!isMeantInFields(command) || isTextInput(event))) return;
      if (runCommand(command)) event.preventDefault();
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
}
