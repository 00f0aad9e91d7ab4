import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** Folder with package.json, the packs and the built page: the checkout, or the packaged program's resources. */
export const programDir = findProgramDir();

export const { version: programVersion } = JSON.parse(readFileSync(path.join(programDir, "package.json"), "utf8")) as {
  readonly version: string;
};

export const programPacksDir = path.join(programDir, "models", "packs");

export const samplesDir = path.join(programDir, "samples");

export const pageDir = path.join(programDir, "dist", "renderer");

export const defaultPort = 7443;

/** Variable with the address of the practice's database: an argument would show its password in the process list. */
export const databaseVariable = "CORVET_DATABASE_URL";

/** Keys folder of the installed service; a user who runs the command directly has another one. */
const serviceKeysDir = "/var/lib/corvet-keys";

/** Without `sudo`, the package's command would use the calling user's store; in a container `sudo` is missing. */
export function commandLine(name: string, dataDir: string | null = null): string {
  if (dataDir !== null) return `${commandLine(name)} --data-dir ${quoted(dataDir)}`;
  const { CORVET_PACKAGED, CORVET_KEYS_DIR, CORVET_CONTAINER } = process.env;
  if (!CORVET_PACKAGED) return `npx corvet ${name}`;
  return CORVET_KEYS_DIR === serviceKeysDir && !CORVET_CONTAINER ? `sudo corvet ${name}` : `corvet ${name}`;
}

export function otherDataHint(): string {
  const { CORVET_PACKAGED, CORVET_KEYS_DIR } = process.env;
  const isUsersOwn = CORVET_PACKAGED && CORVET_KEYS_DIR !== serviceKeysDir;
  return isUsersOwn ? "sudo corvet uses the service's data" : "--data-dir names another folder";
}

export function documentFile(name: string): string {
  return process.env["CORVET_PACKAGED"] ? `/usr/share/doc/corvet/${name}` : `docs/${name}`;
}

/** Whether this is the desktop program, which has no commands. */
export function isDesktop(): boolean {
  return "electron" in process.versions;
}

/** File that starts the desktop program. For an AppImage not Electron's own, which exists only while the image runs. */
export function desktopFile(): string {
  return process.env["APPIMAGE"] ?? process.execPath;
}

/** Starts the desktop program once with an argument, or runs a command. */
export function recoveryCommand(argument: string, command: string, dataDir: string): string {
  if (!isDesktop()) return commandLine(command, dataDir);
  const isUsual = path.resolve(dataDir) === path.resolve(defaultDataDir());
  const given = isUsual ? argument : `${argument} --data-dir=${quoted(dataDir)}`;
  return `${"defaultApp" in process ? "npm start --" : typedProgram(desktopFile())} ${given}`;
}

/** A program's path as typed; on Windows it works in PowerShell and in the command prompt. */
function typedProgram(file: string): string {
  if (!/[^\p{L}\p{N}._~/:\\-]/u.test(file)) return file;
  // PowerShell treats a quoted name as a string. `cmd /c` would remove quotes at the beginning, hence `call`.
  return process.platform === "win32" ? `cmd /c call ${quoted(file)}` : quoted(file);
}

/** Quotes a path for the shell. A Windows path cannot contain quotes, and its backslashes must not be escaped. */
function quoted(file: string): string {
  return `"${process.platform === "win32" ? file : file.replaceAll(/["$\\`]/g, String.raw`\$&`)}"`;
}

export function defaultDataDir(environment: NodeJS.ProcessEnv = process.env): string {
  const home = environment["HOME"] ?? environment["USERPROFILE"] ?? ".";
  if (process.platform === "win32")
    return path.join(environment["APPDATA"] ?? path.join(home, "AppData", "Roaming"), "Corvet");
  if (process.platform === "darwin") return path.join(home, "Library", "Application Support", "Corvet");
  return path.join(environment["XDG_DATA_HOME"] ?? path.join(home, ".local", "share"), "corvet");
}

function findProgramDir(): string {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  while (!existsSync(path.join(folder, "package.json")) && folder !== path.dirname(folder))
    folder = path.dirname(folder);
  return folder;
}
