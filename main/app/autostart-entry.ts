import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Starts the program at log-in without its window. */
export const hiddenOption = "--hidden";

/** Autostart entry of Linux desktops. @see https://specifications.freedesktop.org/autostart-spec/ */
export type AutostartEntry = { isOn(): boolean; turn(isOn: boolean): void };

export function autostartEntry(command: readonly string[], environment: NodeJS.ProcessEnv): AutostartEntry {
  const home = environment["XDG_CONFIG_HOME"] || path.join(environment["HOME"] ?? "", ".config");
  const file = path.join(home, "autostart", "corvet.desktop");
  return {
    // Desktop environments disable an entry by setting "Hidden".
    isOn: () => existsSync(file) && !/^Hidden\s*=\s*true\s*$/m.test(readFileSync(file, "utf8")),
    turn(isOn) {
      if (!isOn) return rmSync(file, { force: true });
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(`${file}.new`, entryFor(command));
      renameSync(`${file}.new`, file);
    },
  };
}

function entryFor(command: readonly string[]): string {
  const lines = [
    "[Desktop Entry]",
    "Type=Application",
    "Name=Corvet",
    `Exec=${[...command, hiddenOption].map(quoted).join(" ")}`,
    "Terminal=false",
  ];
  return `${lines.join("\n")}\n`;
}

/** Escaped for the command line, then for the file. @see the Exec key of the Desktop Entry Specification */
function quoted(argument: string): string {
  const forCommand = argument.replace(/["`$\\]/g, "\\$&").replaceAll("%", "%%");
  return `"${forCommand.replaceAll("\\", "\\\\")}"`;
}
