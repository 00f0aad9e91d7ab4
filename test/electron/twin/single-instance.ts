import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, watch, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * The single-instance lock of a folder. A second process leaves a file with its start, because it ends before an event
 * could pass.
 */
export class SingleInstance {
  #lock: string | null = null;

  /** @param onStart  receives the arguments, the working directory and the additional data of each later start */
  request(folder: string, additionalData: unknown, onStart: (...start: unknown[]) => void): boolean {
    const lock = path.join(folder, "lock");
    mkdirSync(folder, { recursive: true });
    if (readdirSync(folder).includes("lock") && isRunning(Number(readFileSync(lock, "utf8")))) {
      const file = path.join(folder, String(process.pid));
      writeFileSync(file, JSON.stringify([reorderedByChromium(process.argv), process.cwd(), additionalData]));
      renameSync(file, `${file}.start`);
      return false;
    }
    writeFileSync(lock, String(process.pid));
    this.#lock = lock;
    const readStarts = () => {
      for (const name of readdirSync(folder).filter((each) => each.endsWith(".start"))) {
        const file = path.join(folder, name);
        onStart(...(JSON.parse(readFileSync(file, "utf8")) as unknown[]));
        rmSync(file);
      }
    };
    watch(folder, readStarts).unref();
    return true;
  }

  release(): void {
    if (this.#lock !== null) rmSync(this.#lock, { force: true });
    this.#lock = null;
  }
}

/** base::CommandLine puts switches first, and Chromium adds switches of its own. */
function reorderedByChromium([program = "", ...args]: readonly string[]): string[] {
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  const isSwitch = (argument: string, at: number) => at < end && /^-./.test(argument);
  const switches = args.filter(isSwitch);
  const others = args.filter((argument, at) => !isSwitch(argument, at));
  return [program, "--allow-file-access-from-files", ...switches, ...others];
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
