import { setTimeout as delay } from "node:timers/promises";

/** What a person says to a database that is away. */
export type SaidToAway = "again" | "file" | "quit";

type Opening<Program> = {
  /** @param isInFile  the file of this machine is the store, whatever was chosen */
  open(isInFile: boolean): Promise<Program>;
  /** Whether a start failed for nothing but a database that is not there. */
  isAway(error: unknown): boolean;
  /** Says why there is no window yet; the signal takes the question away again. */
  ask(error: unknown, signal: AbortSignal): Promise<SaidToAway>;
  /** Between two attempts [ms]. */
  readonly everyMs: number;
  /** Nobody is asked before: at a log-in the server may start as the workstation does [ms]. */
  readonly quietMs: number;
};

/**
 * Opens the program. While its database is away it is tried again and again, and the person may decide meanwhile; as
 * soon as the database answers the question is gone and the program there.
 *
 * @returns null when the person quits
 */
export async function openOnceThere<Program>(opening: Opening<Program>): Promise<Program | null> {
  const { open, isAway, ask, everyMs, quietMs } = opening;
  const askFromMs = performance.now() + quietMs;
  const closing = new AbortController();
  let asked: Promise<SaidToAway> | null = null;
  let isInFile = false;
  try {
    for (;;) {
      try {
        return await open(isInFile);
      } catch (error) {
        if (isInFile || !isAway(error)) throw error;
        if (performance.now() >= askFromMs) asked ??= ask(error, closing.signal);
        const said = await Promise.race([...(asked ? [asked] : []), delay(everyMs, null)]);
        if (said === "quit") return null;
        isInFile = said === "file";
        if (said !== null) asked = null;
      }
    }
  } finally {
    closing.abort();
  }
}
