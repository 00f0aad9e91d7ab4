import type { DesktopChannel, DesktopEventName } from "../../core/contract/desktop.ts";
import type { Log } from "../services/measuring/service-context.ts";
import type { Drafts } from "../services/worklist/drafts/drafts.ts";
import type { EventHub } from "./event-hub.ts";

/** After these drafts would begin with something else. */
const settingEvents: ReadonlySet<string> = new Set<DesktopEventName>([
  "settings.changed",
  "ranges.changed",
  "session.changed",
  "events.missed",
]);

/** Calls that save what is this machine's alone. Their events tell of every association and look into a folder, too. */
const savingChannels: ReadonlySet<string> = new Set<DesktopChannel>([
  "dicom.configure",
  "dicom.saveNode",
  "dicom.deleteNode",
  "dicom.saveCertificate",
  "folders.save",
]);

/** Has drafts begin with the practice's settings: hears of each change, once for several that come together. */
export function keepDraftSettings(events: EventHub, drafts: Drafts | null, log: Log) {
  let keeping = Promise.resolve();
  let isToKeep = false;
  const keep = () => {
    if (drafts === null || isToKeep) return;
    isToKeep = true;
    keeping = keeping
      .then(() => {
        isToKeep = false;
        return drafts.hearSettings();
      })
      .catch((error: unknown) => log.warn({ error }, "drafts keep their old settings"));
  };
  events.subscribe(({ name }) => {
    if (settingEvents.has(name)) keep();
  });
  return {
    /** A call of a page was answered. */
    noteAnswered(channel: string): void {
      if (savingChannels.has(channel)) keep();
    },
    whenKept: () => keeping,
  };
}
