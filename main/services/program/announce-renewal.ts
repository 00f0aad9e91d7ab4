import { because } from "../../../core/app-error.ts";
import { localDay } from "../../../core/local-day.ts";
import type { ServiceContext } from "../measuring/service-context.ts";
import type { Troubles } from "./troubles.ts";

/** Time before the replacement from which it is a trouble [ms]. */
const urgentMs = 60 * 24 * 60 * 60 * 1000;

/**
 * Announces the replacement of the local authority in the log as soon as its date is known, and shortly before as a
 * trouble.
 */
export function announceRenewal(
  { log, now }: Pick<ServiceContext, "log" | "now">,
  troubles: Troubles,
  {
    renewal,
    isAuthorityReplaced,
  }: { readonly renewal: { readonly at: Date } | null; readonly isAuthorityReplaced: boolean },
): void {
  if (isAuthorityReplaced) return troubles.raise("AUTHORITY_RENEWAL", because("authorityReplaced"));
  if (!renewal) return troubles.clear("AUTHORITY_RENEWAL");
  const day = localDay(renewal.at);
  log.info({ at: day }, "the local authority will be replaced; its file already contains the successor");
  if (renewal.at.getTime() - now().getTime() < urgentMs)
    troubles.raise(
      "AUTHORITY_RENEWAL",
      `The local authority is replaced on ${day}. Programs that trust it need the file of authorities again.`,
    );
}
