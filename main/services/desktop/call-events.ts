import { subscribeToLedger } from "../../store/ledger/ledger-events.ts";
import type { DesktopContext } from "./desktop-context.ts";

/** Minimum interval between events, since every event triggers a full reload of the view [ms]. */
const gatheredMs = 1000;

/**
 * Publishes new ledger rows and screenings sent by API clients to the pages.
 *
 * @returns a function that publishes the pending events and stops
 */
export function publishCalls(
  { db, publish }: Pick<DesktopContext, "db" | "publish">,
  screening: { onRecorded(listener: () => void): void },
): () => void {
  const ends: (() => void)[] = [];
  const gathered = (name: "ledger.changed" | "screenings.changed") => {
    let timer: NodeJS.Timeout | null = null;
    let isOver = false;
    const publishNow = () => {
      timer = null;
      publish({ name, payload: {} });
    };
    ends.push(() => {
      isOver = true;
      if (timer === null) return;
      clearTimeout(timer);
      publishNow();
    });
    return () => {
      if (!isOver) timer ??= setTimeout(publishNow, gatheredMs).unref();
    };
  };
  subscribeToLedger(db, gathered("ledger.changed"));
  screening.onRecorded(gathered("screenings.changed"));
  return () => {
    for (const end of ends) end();
  };
}
