import { app } from "electron";
import { desktopFile } from "../program.ts";
import type { StartAtLogIn } from "../services/desktop/start-at-log-in.ts";
import { autostartEntry, hiddenOption } from "./autostart-entry.ts";

/**
 * Starting at log-in, each system's own way; null for a checkout. A switch that was on is set anew at every start: an
 * update may have moved the program.
 */
export function openStartAtLogIn(platform: NodeJS.Platform = process.platform): StartAtLogIn | null {
  if (!app.isPackaged) return null;
  const switched = platform === "linux" ? linuxSwitch() : ownSwitch(platform);
  if (switched.isOn()) switched.turn(true);
  return switched;
}

/** Whether the system started the program, not a person: then no window is shown. */
export function isStartedAtLogIn(
  ownArguments: readonly string[],
  platform: NodeJS.Platform = process.platform,
): boolean {
  return ownArguments.includes(hiddenOption) || (platform === "darwin" && app.getLoginItemSettings().wasOpenedAtLogin);
}

function linuxSwitch(): StartAtLogIn {
  return autostartEntry([desktopFile()], process.env);
}

function ownSwitch(platform: NodeJS.Platform): StartAtLogIn {
  // Windows knows an entry by its arguments; macOS takes none and says by itself who started the program.
  const entry = platform === "win32" ? { path: process.execPath, args: [hiddenOption] } : {};
  return {
    isOn: () => app.getLoginItemSettings(entry).openAtLogin,
    turn: (isOn) => app.setLoginItemSettings({ ...entry, openAtLogin: isOn }),
  };
}
