import { followLedger } from "../../store/ledger/ledger-news.ts";
import type { DesktopContext } from "./desktop-context.ts";

/** What programs' calls bring is told together, this often at most: whatever shows it asks for all of it again [ms]. */
const gatheredMs = 1000;

/**
 * Tells pages of new rows of the ledger, and of screenings that programs sent.
 *
 * @returns what ends it, and tells what has not been told yet
 */
export function publishCalls(
  { db, publish }: Pick<DesktopContext, "db" | "publish">,
  screening: { onRecorded(listener: () => void): void },
): () => void {
  const ends: (() => void)[] = [];
  const gathered = (name: "ledger.changed" | "screenings.changed") => {
    let timer: NodeJS.Timeout | null = null;
    let isOver = false;
    const tell = () => {
      timer = null;
      publish({ name, payload: {} });
    };
    ends.push(() => {
      isOver = true;
      if (timer === null) return;
      clearTimeout(timer);
      tell();
    });
    return () => {
      if (!isOver) timer ??= setTimeout(tell, gatheredMs).unref();
    };
  };
  followLedger(db, gathered("ledger.changed"));
  screening.onRecorded(gathered("screenings.changed"));
  return () => {
    for (const end of ends) end();
  };
}
