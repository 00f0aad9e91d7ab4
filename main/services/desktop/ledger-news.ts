import { followLedger } from "../../store/ledger/ledger-news.ts";
import type { DesktopContext } from "./desktop-context.ts";

/** Rows of the ledger are told together this often at most: what shows them asks for all of them again [ms]. */
const gatheredMs = 1000;

/** Tells pages of new rows of the ledger. @returns what ends it */
export function publishLedger({ db, publish }: Pick<DesktopContext, "db" | "publish">): () => void {
  let timer: NodeJS.Timeout | null = null;
  followLedger(db, () => {
    timer ??= setTimeout(() => {
      timer = null;
      publish({ name: "ledger.changed", payload: {} });
    }, gatheredMs).unref();
  });
  return () => {
    if (timer) clearTimeout(timer);
    followLedger(db, () => undefined);
  };
}
