import { subscribeToLedger } from "../../store/ledger/ledger-events.ts";
import type { DesktopContext } from "./desktop-context.ts";

/** Minimum interval between events, since every event triggers a full reload of the view [ms]. */
const gatheredMs = 1000;

/**
 * Raises events for new ledger rows and screenings of API clients.
 *
 * @returns a function that raises the pending events and stops
 */
export function raiseCallEvents(
  { db, raise }: Pick<DesktopContext, "db" | "raise">,
  screening: { onRecorded(listener: () => void): void },
): () => void {
  const ends: (() => void)[] = [];
  const gathered = (name: "ledger.changed" | "screenings.changed") => {
    let timer: NodeJS.Timeout | null = null;
    let isOver = false;
    const raiseNow = () => {
      timer = null;
      raise({ name, payload: {} });
    };
    ends.push(() => {
      isOver = true;
      if (timer === null) return;
      clearTimeout(timer);
      raiseNow();
    });
    return () => {
      if (!isOver) timer ??= setTimeout(raiseNow, gatheredMs).unref();
    };
  };
  subscribeToLedger(db, gathered("ledger.changed"));
  screening.onRecorded(gathered("screenings.changed"));
  return () => {
    for (const end of ends) end();
  };
}
