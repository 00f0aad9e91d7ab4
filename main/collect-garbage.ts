import v8 from "node:v8";
import { runInNewContext } from "node:vm";

const intervalMs = 2000;
/** Growth of buffers that causes a collection, while their size changes and once it does not [bytes]. */
const grownBytes = { busy: 32 * 1024 * 1024, idle: 1024 * 1024 } as const;

/** Also returns V8's free pages to the system, in about 100 ms; V8 itself does so minutes later or never. */
const toSystem = { type: "major", execution: "sync", flavor: "last-resort" } as const;

/**
 * Runs a garbage collection, about 50 ms, whenever buffers have grown, and a last one when they no longer change. V8
 * underestimates buffers: without this, unreferenced pictures occupy 80 MB and more, and an idle program does not
 * collect them.
 *
 * @returns stops the collections
 */
export function collectBuffers(): () => void {
  v8.setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as (options?: typeof toSystem) => void;
  let keptBytes = Infinity;
  let lastBytes = 0;
  let wasBusy = false;
  const check = () => {
    const bytes = bufferBytes();
    if (bytes === null) return;
    const isIdle = bytes === lastBytes;
    lastBytes = bytes;
    keptBytes = Math.min(keptBytes, bytes);
    const isGrown = bytes - keptBytes >= grownBytes[isIdle ? "idle" : "busy"];
    if (!isGrown && !(isIdle && wasBusy)) return;
    wasBusy = !isIdle;
    collect(isIdle ? toSystem : undefined);
    keptBytes = bufferBytes() ?? bytes;
  };
  const timer = setInterval(check, intervalMs).unref();
  return () => clearInterval(timer);
}

/** null while too many files are open: on Linux, Node also reads the resident set size, from a file. */
function bufferBytes(): number | null {
  try {
    return process.memoryUsage().arrayBuffers;
  } catch {
    return null;
  }
}
