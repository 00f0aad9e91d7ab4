import type { DesktopResponse } from "../../../core/contract/desktop.ts";
import type { Say } from "../../../core/language/say.ts";

export type Fetched = DesktopResponse<"pacs.fetch">;

export function isWhole({ failedObjects, failure }: Fetched): boolean {
  return failure === null && failedObjects === 0;
}

/** Number of films fetched and failed, and why the retrieval ended early. */
export function fetchedText({ fetchedObjects, failedObjects, failure }: Fetched, say: Say): string {
  return [
    say("pacs.fetched", { count: fetchedObjects }),
    ...(failedObjects > 0 ? [say("pacs.failed", { count: failedObjects })] : []),
    ...(failure ? [say(`dicom.failure_${failure.reason}`, { detail: failure.detail })] : []),
  ].join(", ");
}

/** The same for a patient's earlier films; states that these are all only if the retrieval was complete. */
export function fetchedPriorText(fetched: Fetched, say: Say): string {
  return isWhole(fetched) ? say("pacs.fetchedPrior", { count: fetched.fetchedObjects }) : fetchedText(fetched, say);
}
