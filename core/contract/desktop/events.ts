import type { DesktopAnswer, DesktopChannel, DesktopRequest, DesktopResponse } from "../desktop.ts";
import type { Film, UnopenedFile } from "./films.ts";
import type { SendProgress } from "./network/dicom.ts";
import type { FetchProgress } from "./network/pacs.ts";
import type { BackupProgress } from "./practice/backups.ts";
import type { OwnRanges } from "./practice/ranges.ts";
import type { Health, MenuCommand } from "./program.ts";
import type { Settings } from "./settings.ts";
import type { Failure, Fault } from "./shapes.ts";
import type { UpdateState } from "./updates.ts";

/** Row of an event, whose payload is not parsed. */
type EventRow<Payload> = {
  /** Channels whose responses the event makes stale; the page refetches them. */
  readonly stale?: readonly DesktopChannel[];
  /** Kept until a page listens, because it cannot request the content later. */
  readonly isKept?: true;
  /** Type only. */
  readonly payload?: Payload;
};

const event = <Payload = Readonly<Record<string, never>>>(
  row: Pick<EventRow<Payload>, "stale" | "isKept"> = {},
): EventRow<Payload> => row;

const agreement = ["agreement.get", "agreement.sameDay", "agreement.practiceErrors"] as const;

/** Events for the page, one row per event. */
export const desktopEvents = {
  /** What becomes stale depends on the film. */
  "film.changed": event<{ film: Film }>(),
  "annotations.changed": event<{ filmId: string; version: number }>(),
  "film.removed": event<{ filmIds: string[] }>({ stale: ["films.queue", "sample.get", ...agreement] }),
  /** Not sent to the pages of `session`, which opened or closed a film. */
  "openFilms.changed": event<{ session?: string | undefined }>({ stale: ["films.openElsewhere"] }),
  /** Events of other workstations may have been missed; the page must refetch everything it shows. */
  "events.missed": event(),
  /** Files in a folder or ZIP, opened without a request of the page, that are not films and were skipped. */
  "files.leftAlone": event<{ files: UnopenedFile[] }>({ isKept: true }),
  "patients.changed": event({
    stale: ["orders.next", "trends.get", "films.get", "patients.mergers", "usg.history", "agreement.get"],
  }),
  "settings.changed": event<{ settings: Settings }>(),
  "ranges.changed": event<OwnRanges>(),
  "updates.changed": event<{ state: UpdateState }>(),
  "server.changed": event({ stale: ["server.get"] }),
  // `publishers.changed` is sent before the packs have been read again, so publishers are refetched here too.
  "packs.changed": event<{ health: Health }>({ stale: ["packs.list", "publishers.list", "usg.model"] }),
  "publishers.changed": event({ stale: ["packs.list", "publishers.list"] }),
  /** The encryption or decryption planned for the next start changed. */
  "encryption.changed": event({ stale: ["encryption.get"] }),
  /** Current problems with the record, disk or clock; empty once all are resolved. */
  "troubles.changed": event<{ troubles: Failure[] }>(),
  /** Whether films on the worklist wait because other programs fill the inference queue. */
  "queue.changed": event<{ isFull: boolean }>(),
  "keys.revoked": event<{ keyId: string }>(),
  /** New ledger rows; several may share one event. */
  "ledger.changed": event({ stale: ["ledger.usage", "ledger.events"] }),
  /** New screenings by the window or the API; several API calls may share one event. */
  "screenings.changed": event({ stale: ["usg.report", "usg.history"] }),
  "session.changed": event({ stale: ["people.list"] }),
  "dicom.changed": event({
    stale: ["dicom.get", "dicom.log", "dicom.sendings", "marks.list", "keyFilms.list", "received.list"],
  }),
  /** The order assigned to the next picture changed. */
  "orders.changed": event({ stale: ["orders.next"] }),
  /** A scan of the watched folders found changes, or results were written. */
  "folders.changed": event({ stale: ["folders.get", "hl7.get"] }),
  "dicom.sending": event<{ sendId: string; progress: SendProgress }>(),
  "pacs.fetching": event<{ jobId: string; progress: FetchProgress }>(),
  "backup.progress": event<{ backupId: string; progress: BackupProgress }>(),
  /** Another program requests to show a patient or a film; `opening.claim` returns which. */
  "opening.asked": event(),
  fault: event<{ fault: Fault }>({ isKept: true }),
  "menu.command": event<{ command: MenuCommand }>({ isKept: true }),
} as const;

export type DesktopEventName = keyof typeof desktopEvents;
export type DesktopEventPayload<E extends DesktopEventName> = NonNullable<(typeof desktopEvents)[E]["payload"]>;
export type DesktopEvent = {
  [E in DesktopEventName]: { readonly name: E; readonly payload: DesktopEventPayload<E> };
}[DesktopEventName];

/** Type of `window.corvet` in Electron; absent in a browser. */
export type DesktopBridge = {
  readonly platform: string;
  readonly calls: {
    readonly [C in DesktopChannel]: (request: DesktopRequest<C>) => Promise<DesktopAnswer<DesktopResponse<C>>>;
  };
  subscribe(listener: (event: DesktopEvent) => void): () => void;
};
