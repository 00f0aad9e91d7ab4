import type { Corvet, CorvetOptions } from "./composition/corvet.ts";
import { lockDataDir } from "./instance-lock.ts";

export type { Corvet, CorvetOptions } from "./composition/corvet.ts";

/**
 * Composes Corvet: locks the data directory, opens the store, loads the networks, listens, and writes `server.json`.
 *
 * @throws AppError STORE_BUSY if another program uses the data directory, STORE_DAMAGED
 */
export async function openCorvet(options: CorvetOptions): Promise<Corvet> {
  await using opened = new AsyncDisposableStack();
  const corvet = await open(options, opened);
  // Owns the opened resources and closes them once, in reverse order.
  const closing = opened.move();
  let closed: Promise<void> | null = null;
  return { ...corvet, close: () => (closed ??= closing.disposeAsync()) };
}

async function open(options: CorvetOptions, closing: AsyncDisposableStack): Promise<Omit<Corvet, "close">> {
  const lock = lockDataDir(options.dataDir);
  closing.defer(() => lock.release());
  // Loaded on demand, so that a host can start the networks' thread before the modules of the store load.
  const { openProgram } = await import("./composition/open-program.ts");
  return await openProgram(options, lock, closing);
}
