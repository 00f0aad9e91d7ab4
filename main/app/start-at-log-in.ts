import type { LoginItemSettings, LoginItemSettingsOptions, Settings } from "electron";
import { desktopFile } from "../program.ts";
import type { StartAtLogIn } from "../services/desktop/start-at-log-in.ts";
import { autostartEntry, hiddenOption } from "./autostart-entry.ts";

type LogInApp = {
  readonly isPackaged: boolean;
  getLoginItemSettings(
    entry?: LoginItemSettingsOptions,
  ): Pick<LoginItemSettings, "openAtLogin" | "wasOpenedAtLogin" | "executableWillLaunchAtLogin">;
  setLoginItemSettings(entry: Settings): void;
};

/**
 * Starting at log-in in each system's way; null for a checkout. An enabled entry is rewritten at every start, because
 * an update may have moved the program.
 *
 * @param args  of the program, which the entry repeats
 */
export function openStartAtLogIn(
  app: LogInApp,
  args: readonly string[],
  platform: NodeJS.Platform,
): StartAtLogIn | null {
  if (!app.isPackaged) return null;
  const switched =
    platform === "linux" ? autostartEntry([desktopFile(), ...args], process.env) : systemSwitch(app, args, platform);
  if (switched.isOn()) switched.turn(true);
  return switched;
}

/** Whether the system started the program at log-in; no window is shown then. */
export function isStartedAtLogIn(
  app: Pick<LogInApp, "getLoginItemSettings">,
  options: readonly string[],
  platform: NodeJS.Platform,
): boolean {
  return options.includes(hiddenOption) || (platform === "darwin" && app.getLoginItemSettings().wasOpenedAtLogin);
}

function systemSwitch(app: LogInApp, args: readonly string[], platform: NodeJS.Platform): StartAtLogIn {
  // Windows identifies an entry by its arguments; macOS takes none and reports who started the program.
  // Electron quotes both, but finds the executable in a path with spaces only if that is quoted already.
  const isWindows = platform === "win32";
  const entry = isWindows ? { path: `"${process.execPath}"`, args: [...args, hiddenOption] } : {};
  return {
    isOn() {
      const { openAtLogin, executableWillLaunchAtLogin } = app.getLoginItemSettings(entry);
      // Windows' own settings disable an entry and keep it.
      return openAtLogin && (!isWindows || executableWillLaunchAtLogin);
    },
    turn: (isOn) => app.setLoginItemSettings({ ...entry, openAtLogin: isOn }),
  };
}
