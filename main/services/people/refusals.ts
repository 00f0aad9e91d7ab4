import { recordAudit } from "../../store/audit/audit-events.ts";
import type { Refused, ServiceContext } from "../measuring/service-context.ts";

/** Doubles while refusals continue [ms]. */
const minMs = 60_000;
const maxMs = 60 * 60 * 1000;

/**
 * Records refused access on an endpoint open to all programs on this computer: in the security log, and in the audit
 * trail except for a foreign host name. A flood is aggregated into a few events with counts.
 */
export async function noteRefusal(
  { db, refusals, now, log }: Pick<ServiceContext, "db" | "refusals" | "now" | "log">,
  action: Refused,
): Promise<void> {
  const count = refusals.get(action) ?? { lastRecordedMs: -Infinity, waitMs: minMs, since: 0 };
  refusals.set(action, count);
  count.since += 1;
  const at = now();
  const sinceMs = at.getTime() - count.lastRecordedMs;
  // A clock set back must not suppress events.
  if (sinceMs >= 0 && sinceMs < count.waitMs) return;
  count.waitMs = count.since > 1 ? Math.min(maxMs, count.waitMs * 2) : minMs;
  const { since: times } = count;
  // Set first, so that concurrent refusals are only counted.
  [count.since, count.lastRecordedMs] = [0, at.getTime()];
  log.warn({ security: action, times }, "access refused");
  if (action === "host.refused") return;
  try {
    await recordAudit(db, {
      action,
      at,
      by: { via: action === "key.refused" ? "service" : "window", personId: null, who: null },
      detail: { times },
    });
  } catch (error) {
    // A failed audit event does not change the response, and is repeated with the next one.
    count.since += times;
    log.warn({ error, action }, "a refusal could not be recorded");
  }
}
