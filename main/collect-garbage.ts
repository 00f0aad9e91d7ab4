import v8 from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Runs a full garbage collection, about 50 ms. An idle program does not collect by itself: after a busy minute buffers
 * of decoded images that nothing refers to would keep 80 MB.
 */
export function collectGarbage(): void {
  v8.setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
}
