import path from "node:path";
import { isOpeningLink } from "../../core/opening/opening-target.ts";
import { hiddenOption } from "./autostart-entry.ts";

const optionsOnce: ReadonlySet<string> = new Set(["--sign-in-off", "--recovery-key-file", hiddenOption]);

/** Command line of the desktop program, without the executable and, in a checkout, without the program's folder. */
export type CommandLine = {
  readonly named: readonly string[];
  /** Options only; arguments after a link or `--` are untrusted and never options. */
  readonly options: readonly string[];
  /** undefined for an option that is missing or empty. */
  option(name: string): string | undefined;
  /** Arguments of a restart, with absolute paths, without files and links, which are already open. */
  readonly forRestart: readonly string[];
};

/** `isPackaged` is false in a checkout, started as `electron FOLDER …`; Chromium's switches may precede the folder. */
export function readCommandLine(argv: readonly string[], isPackaged: boolean): CommandLine {
  const given = argv.slice(1);
  const folderAt = isPackaged ? -1 : given.findIndex((argument) => !argument.startsWith("-"));
  const named = given.filter((_argument, at) => at !== folderAt);
  const foreignFrom = named.findIndex((argument) => argument === "--" || isOpeningLink(argument));
  const options = (foreignFrom < 0 ? named : named.slice(0, foreignFrom)).filter((argument) =>
    argument.startsWith("-"),
  );
  const nameOf = (argument: string) => argument.replace(/=.*/s, "");
  const valueOf = (argument: string) => argument.slice(nameOf(argument).length + 1);
  const kept = options
    .filter((argument) => !optionsOnce.has(nameOf(argument)) && argument !== "--data-dir=")
    .map((argument) =>
      nameOf(argument) === "--data-dir" ? `--data-dir=${path.resolve(valueOf(argument))}` : argument,
    );
  return {
    named,
    options,
    option(name) {
      const found = options.find((argument) => nameOf(argument) === `--${name}`);
      return found && valueOf(found) ? valueOf(found) : undefined;
    },
    forRestart: [...given.filter((_argument, at) => at === folderAt).map((folder) => path.resolve(folder)), ...kept],
  };
}
