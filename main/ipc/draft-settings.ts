import type { DesktopEventName } from "../../core/contract/desktop.ts";
import type { Log } from "../services/measuring/service-context.ts";
import type { Drafts } from "../services/worklist/drafts/drafts.ts";
import type { EventHub } from "./event-hub.ts";

/** After these drafts would begin with something else. */
const settingEvents: ReadonlySet<string> = new Set<DesktopEventName>([
  "settings.changed",
  "ranges.changed",
  "session.changed",
  "folders.changed",
  "dicom.changed",
]);

/** Has drafts begin with the practice's settings: hears of each change, once for several that come together. */
export function keepDraftSettings(events: EventHub, drafts: Drafts | null, log: Log) {
  let keeping = Promise.resolve();
  let isToKeep = false;
  events.subscribe(({ name }) => {
    if (drafts === null || !settingEvents.has(name) || isToKeep) return;
    isToKeep = true;
    keeping = keeping
      .then(() => {
        isToKeep = false;
        return drafts.hearSettings();
      })
      .catch((error: unknown) => log.warn({ error }, "drafts keep their old settings"));
  });
  return { whenKept: () => keeping };
}
