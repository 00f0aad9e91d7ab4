import { useEffect } from "react";
import { create } from "zustand";
import { keysOf, isTyping, platform, type Platform } from "./shortcut-keys.ts";
import { commonMessages } from "./messages/common.ts";
import { filmMessages } from "./messages/films.ts";
import { resultMessages } from "./messages/result.ts";
import { shortcutMessages } from "./messages/shortcuts.ts";
import { viewerMessages } from "./messages/viewer.ts";

/** Every command that has keys: what it does and its keys out of the box. */
export const shortcutTable = {
  "go.films": { keys: "Alt+1", message: commonMessages.screen_films },
  "go.trends": { keys: "Alt+2", message: commonMessages.screen_trends },
  "go.usg": { keys: "Alt+3", message: commonMessages.screen_usg },
  "go.capture": { keys: "Alt+4", message: commonMessages.screen_capture },
  "go.ledger": { keys: "Alt+5", message: commonMessages.screen_ledger },
  "go.settings": { keys: "Alt+6", message: commonMessages.screen_settings },
  "shortcuts.show": { keys: "?", message: shortcutMessages.title },
  "films.open": { keys: "Mod+O", message: filmMessages.openFiles },
  "films.search": { keys: "/", message: filmMessages.searchFilms },
  "films.next": { keys: "J", message: shortcutMessages.nextFilm },
  "films.previous": { keys: "K", message: shortcutMessages.previousFilm },
  "view.fit": { keys: "F", message: viewerMessages.fit },
  "view.actual": { keys: "1", message: viewerMessages.actual },
  "view.zoomIn": { keys: "+", message: viewerMessages.zoomIn },
  "view.zoomOut": { keys: "-", message: viewerMessages.zoomOut },
  "view.windowReset": { keys: "W", message: viewerMessages.windowReset },
  "view.windowAuto": { keys: "A", message: viewerMessages.windowAuto },
  "view.invert": { keys: "I", message: viewerMessages.invert },
  "view.rotate": { keys: "R", message: viewerMessages.rotate },
  "view.flip": { keys: "M", message: viewerMessages.flip },
  "view.sharpen": { keys: "S", message: viewerMessages.sharpen },
  "view.crosshair": { keys: "P", message: viewerMessages.crosshair },
  "view.full": { keys: "Shift+F", message: viewerMessages.fullScreen },
  "overlay.toggle": { keys: "O", message: viewerMessages.showOverlay },
  "overlay.labels": { keys: "L", message: viewerMessages.showLabels },
  "overlay.votes": { keys: "V", message: viewerMessages.showVotes },
  "overlay.original": { keys: "Shift+O", message: viewerMessages.showOriginal },
  "overlay.fainter": { keys: ",", message: viewerMessages.fainter },
  "overlay.stronger": { keys: ".", message: viewerMessages.stronger },
  "correct.start": { keys: "C", message: resultMessages.correct },
  "correct.byHand": { keys: "H", message: resultMessages.byHand },
  "correct.undo": { keys: "Mod+Z", message: viewerMessages.undo },
  "correct.redo": { keys: "Mod+Shift+Z", message: viewerMessages.redo },
  "correct.shiftCranial": { keys: "[", message: viewerMessages.shiftCranial },
  "correct.shiftCaudal": { keys: "]", message: viewerMessages.shiftCaudal },
  "correct.save": { keys: "Mod+S", message: viewerMessages.saveReading },
  "correct.leave": { keys: "Escape", message: viewerMessages.leaveCorrection },
} as const;

/** Name of a command. */
export type Command = keyof typeof shortcutTable;
/** What runs when a command's keys are pressed; absent while it has nothing to do. */
type CommandHandlers = { readonly [C in Command]?: () => void };

/** Where a system's custom differs from the table. */
const customKeys: Readonly<Record<Platform, { readonly [C in Command]?: string }>> = {
  mac: {},
  linux: {},
  windows: { "correct.redo": "Mod+Y" },
};

/** Keys of a command out of the box on a system. */
export function usualKeys(command: Command, on: Platform = platform): string {
  return customKeys[on][command] ?? shortcutTable[command].keys;
}

type ShortcutState = {
  /** Keys that differ from the table; empty text means no keys. */
  readonly changed: Readonly<Record<string, string>>;
  readonly setChanged: (changed: Readonly<Record<string, string>>) => void;
};

/** The user's own keys. */
export const useShortcutKeys = create<ShortcutState>((set) => ({
  changed: {},
  setChanged: (changed) => set({ changed }),
}));

/** Keys of a command as they are now. */
export function useKeys(command: Command): string {
  return useShortcutKeys((state) => state.changed[command] ?? usualKeys(command));
}

/** The command that a combination means now. */
export function commandOf(keys: string, changed: Readonly<Record<string, string>>): Command | null {
  const commands = Object.keys(shortcutTable) as Command[];
  return commands.find((command) => (changed[command] ?? usualKeys(command)) === keys) ?? null;
}

const registered: CommandHandlers[] = [];

/** Offers commands while the component is mounted; the one mounted last is asked first. */
export function useCommands(handlers: CommandHandlers): void {
  useEffect(() => {
    registered.push(handlers);
    return () => void registered.splice(registered.indexOf(handlers), 1);
  });
}

/** Runs a command if anything on the screen offers it. */
export function runCommand(command: Command): boolean {
  const handler = registered.findLast((handlers) => handlers[command])?.[command];
  handler?.();
  return handler !== undefined;
}

/** Listens to the keyboard for the whole page. Dialogs and fields keep their keys. */
export function useKeyboard(): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector("[role=dialog],[role=alertdialog],[role=menu]")) return;
      const keys = keysOf(event);
      if (isTyping(event.target) && !keys.includes("Mod+S") && !keys.includes("Mod+O")) return;
      const command = commandOf(keys, useShortcutKeys.getState().changed);
      if (command && runCommand(command)) event.preventDefault();
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
}
