import { setTimeout as delay } from "node:timers/promises";

export type AwayDecision = "again" | "file" | "quit";

type Opening<Program> = {
  /** @param isInFile  the file of this machine is the store, whatever was chosen */
  open(isInFile: boolean): Promise<Program>;
  /** Whether a start failed only because the database is unreachable. */
  isAway(error: unknown): boolean;
  /** Shows why there is no window yet; the signal closes the dialog. */
  ask(error: unknown, signal: AbortSignal): Promise<AwayDecision>;
  readonly everyMs: number;
  /** No dialog is shown before: at log-in the server may start at the same time as the workstation [ms]. */
  readonly quietMs: number;
};

/**
 * Opens the program. While its database is unreachable the start is retried, and the user may decide otherwise; the
 * dialog closes as soon as the database responds.
 *
 * @returns null if the user quits
 */
export async function openOnceThere<Program>(opening: Opening<Program>): Promise<Program | null> {
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
