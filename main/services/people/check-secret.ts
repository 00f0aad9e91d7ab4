import { AppError, because } from "../../../core/app-error.ts";
import type { Actor } from "../../../core/people/audit-actions.ts";
import { recordAudit } from "../../store/audit/audit-events.ts";
import { transaction } from "../../store/engines/engine.ts";
import { getPerson, setWrongSecrets, type PersonRow } from "../../store/people/people.ts";
import type { ServiceContext } from "../measuring/service-context.ts";
import { isSecret } from "./secrets.ts";

const freeTries = 3;
/** First delay, doubled by each further wrong attempt [ms]. */
const firstWaitMs = 30_000;
const maxWaitMs = 15 * 60 * 1000;

/** Returns 0 without a delay [UTC ms]. */
function waitUntil(wrongSecrets: number, nowMs: number): number {
  if (wrongSecrets < freeTries) return 0;
  return nowMs + Math.min(maxWaitMs, firstWaitMs * 2 ** (wrongSecrets - freeTries));
}

/**
 * Counts the attempt before verification, so that parallel attempts are throttled like sequential ones; the delay
 * survives a restart.
 *
 * @throws AppError WRONG_SECRET, or TOO_SOON during the delay after a wrong attempt
 */
export async function checkSecret(
  { db, now, log }: Pick<ServiceContext, "db" | "now" | "log">,
  personId: string,
  secret: string,
): Promise<PersonRow> {
  const person = await transaction(db, async () => {
    const person = await getPerson(db, personId);
    if (person.retiredAtMs !== null) throw new AppError("WRONG_SECRET");
    const nowMs = now().getTime();
    const waitMs = person.waitUntilMs - nowMs;
    // Ignore a delay above the maximum, which was set while the clock was ahead.
    if (waitMs > 0 && waitMs <= maxWaitMs)
      throw new AppError("TOO_SOON", because("waitToSignIn", { seconds: Math.ceil(waitMs / 1000) }));
    const wrongSecrets = person.wrongSecrets + 1;
    await setWrongSecrets(db, personId, wrongSecrets, waitUntil(wrongSecrets, nowMs));
    return { ...person, wrongSecrets };
  });
  if (!(await isSecret(person.secretHash, secret))) {
    const { name: who, wrongSecrets } = person;
    const by: Actor = { via: "window", personId: null, who: null };
    await recordAudit(db, {
      action: "session.refused",
      at: now(),
      subject: personId,
      detail: { name: who, wrongSecrets },
      by,
    });
    log.warn({ security: "session.refused", personId, wrongSecrets }, "wrong PIN or password");
    throw new AppError("WRONG_SECRET");
  }
  await setWrongSecrets(db, personId, 0, 0);
  return person;
}
