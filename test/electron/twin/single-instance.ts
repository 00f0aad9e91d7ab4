import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, watch, writeFileSync } from "node:fs";
import path from "node:path";

/** Takes the lock, a file to which later starts append a line. @returns a function that releases it; null if taken */
export function requestLock(
  lock: string,
  additionalData: unknown,
  onStart: (...start: unknown[]) => void,
): (() => void) | null {
  mkdirSync(path.dirname(lock), { recursive: true });
  if (existsSync(lock)) {
    appendFileSync(lock, `${JSON.stringify([reorderedByChromium(process.argv), process.cwd(), additionalData])}\n`);
    return null;
  }
  writeFileSync(lock, "");
  let seen = 0;
  const watcher = watch(lock, () => {
    const added = readFileSync(lock, "utf8").split("\n").slice(seen, -1);
    seen += added.length;
    for (const line of added) onStart(...(JSON.parse(line) as unknown[]));
  }).unref();
  return () => {
    watcher.close();
    rmSync(lock, { force: true });
  };
}

/** base::CommandLine puts switches first, and Chromium adds switches of its own. */
function reorderedByChromium([program = "", ...args]: readonly string[]): string[] {
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  const isSwitch = (argument: string, at: number) => at < end && /^-./.test(argument);
  const others = args.filter((argument, at) => !isSwitch(argument, at));
  return [program, "--allow-file-access-from-files", ...args.filter(isSwitch), ...others];
}
