import { setTimeout as delay } from "node:timers/promises";

export type AwayDecision = "again" | "file" | "quit";

type Opening<Program> = {
  /** @param isInFile  use the store in this workstation's file, regardless of the settings */
  open(isInFile: boolean): Promise<Program>;
  /** Whether a start failed only because the database is unavailable. */
  isAway(error: unknown): boolean;
  /** Shows why the program has not started; the signal closes the dialog. */
  ask(error: unknown, signal: AbortSignal): Promise<AwayDecision>;
  readonly everyMs: number;
  /** Delay of the dialog [ms]; at log-in, the database server may still be starting, too. */
  readonly quietMs: number;
};

/**
 * Opens the program. While its database is unavailable, retries and shows a dialog in which the user can quit or work
 * with a file. The dialog closes when the database responds.
 *
 * @returns null if the user quits
 */
export async function openWhenReachable<Program>(opening: Opening<Program>): Promise<Program | null> {
  const { open, isAway, ask, everyMs, quietMs } = opening;
  const askFromMs = performance.now() + quietMs;
  const closing = new AbortController();
  let asked: Promise<AwayDecision> | null = null;
  let isInFile = false;
  try {
    for (;;) {
      try {
        return await open(isInFile);
      } catch (error) {
        if (isInFile || !isAway(error)) throw error;
        if (performance.now() >= askFromMs) asked ??= ask(error, closing.signal);
        const decision = await Promise.race([...(asked ? [asked] : []), delay(everyMs, null)]);
        if (decision === "quit") return null;
        isInFile = decision === "file";
        if (decision !== null) asked = null;
      }
    }
  } finally {
    closing.abort();
  }
}
