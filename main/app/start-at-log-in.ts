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

/** null for a checkout. An enabled entry is rewritten at every start, because an update may have moved the program. */
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

export function isStartedAtLogIn(
  app: Pick<LogInApp, "getLoginItemSettings">,
  options: readonly string[],
  platform: NodeJS.Platform,
): boolean {
  return options.includes(hiddenOption) || (platform === "darwin" && app.getLoginItemSettings().wasOpenedAtLogin);
}

function systemSwitch(app: LogInApp, args: readonly string[], platform: NodeJS.Platform): StartAtLogIn {
  // Windows identifies an entry by its arguments. macOS takes no arguments but reports a start at log-in.
  // Electron quotes path and arguments, but finds an executable in a path with spaces only if it is already quoted.
  const isWindows = platform === "win32";
  const entry = isWindows ? { path: `"${process.execPath}"`, args: [...args, hiddenOption] } : {};
  return {
    isOn() {
      const { openAtLogin, executableWillLaunchAtLogin } = app.getLoginItemSettings(entry);
      // The settings of Windows can disable an entry without removing it.
      return openAtLogin && (!isWindows || executableWillLaunchAtLogin);
    },
    turn: (isOn) => app.setLoginItemSettings({ ...entry, openAtLogin: isOn }),
  };
}
