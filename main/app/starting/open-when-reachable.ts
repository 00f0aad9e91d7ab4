import { setTimeout as delay } from "node:timers/promises";

export type AwayDecision = "again" | "file" | "quit";

type Opening<Program> = {
  open(isInFile: boolean): Promise<Program>;
  /** Whether a start failed only because the database is unavailable. */
  isAway(error: unknown): boolean;
  ask(error: unknown, signal: AbortSignal): Promise<AwayDecision>;
  readonly everyMs: number;
  /** Delay of the dialog [ms]; at log-in, the database server may still be starting, too. */
  readonly quietMs: number;
};

/** Retries while the database is unavailable, with a dialog to quit or to work with a file; null if the user quits. */
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
