import type { DesktopResponse } from "../../core/contract/desktop.ts";
import type { Say } from "../../core/language/say.ts";

type Fetched = Pick<DesktopResponse<"pacs.fetchPrior">, "fetchedObjects" | "failedObjects" | "failure">;

/** What came of fetching a patient's earlier films: only an archive that kept none back has no more of them. */
export function fetchedPriorText({ fetchedObjects, failedObjects, failure }: Fetched, say: Say): string {
  if (failure) return say(`dicom.failure_${failure.reason}`, { detail: failure.detail });
  if (failedObjects === 0) return say("pacs.fetchedPrior", { count: fetchedObjects });
  return [say("pacs.fetched", { count: fetchedObjects }), say("pacs.failed", { count: failedObjects })].join(", ");
}
