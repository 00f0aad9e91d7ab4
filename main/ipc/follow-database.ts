import { passingFaultPauseMs } from "../../core/system-fault.ts";
import type { Log } from "../services/measuring/service-context.ts";
import { createRepeatedLook } from "../services/practice/repeated-look.ts";
import type { DatabaseWatch } from "../services/program/watches/database-watch.ts";
import type { Desktop } from "./desktop.ts";

/**
 * Drafts of an earlier run go to the practice at once; when its database goes away later, new ones are begun. Where a
 * page decides about that and its person then leaves, or it is closed, the program decides: at the second look at which
 * nobody is there, since a connection that breaks off is soon back.
 *
 * @returns a function that ends it
 */
export async function followDatabase(
  database: Pick<DatabaseWatch, "follow">,
  { parts: { drafts }, isAttended }: Pick<Desktop, "parts" | "isAttended">,
  log: Log,
  everyMs = passingFaultPauseMs,
): Promise<() => Promise<void>> {
  if (drafts === null) return () => Promise.resolve();
  const warn = (error: unknown) => log.error({ error }, "drafts could not be begun or handed over");
  const hear = async () => drafts.hearDatabase(await isAttended());
  let wasLeft = false;
  const look = async () => {
    const { isAway, isOnDrafts } = await drafts.state();
    const isLeft = isAway !== isOnDrafts && !(await isAttended());
    if (isLeft && wasLeft) await drafts.hearDatabase(false);
    wasLeft = isLeft;
  };
  const looks = createRepeatedLook(look, everyMs, warn);
  database.follow(() => void hear().catch(warn));
  await hear().catch(warn);
  looks.start();
  return () => looks.close();
}
