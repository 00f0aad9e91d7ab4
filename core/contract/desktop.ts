import { z } from "zod";
import { agreementContract } from "./desktop/trends/agreement.ts";
import { annotationsContract } from "./desktop/annotations.ts";
import { captureContract } from "./desktop/capture.ts";
import type { Channel } from "./channel.ts";
import { backupProgress, backupsContract } from "./desktop/practice/backups.ts";
import { databaseContract } from "./desktop/practice/database.ts";
import { deidentifyContract } from "./desktop/deidentify.ts";
import { dicomContract, sendProgress } from "./desktop/network/dicom.ts";
import { film, filmsContract, unopenedFile } from "./desktop/films.ts";
import { foldersContract } from "./desktop/practice/folders.ts";
import { hl7Contract } from "./desktop/practice/hl7.ts";
import { keyFilmsContract } from "./desktop/network/key-films.ts";
import { marksContract } from "./desktop/network/marks.ts";
import { ordersContract } from "./desktop/network/orders.ts";
import { ledgerContract } from "./desktop/ledger.ts";
import { openingContract } from "./desktop/practice/opening.ts";
import { fetchProgress, pacsContract } from "./desktop/network/pacs.ts";
import { peopleContract } from "./desktop/practice/people.ts";
import { patientsContract } from "./desktop/patients.ts";
import { health, menuCommands, programContract } from "./desktop/program.ts";
import { ownRanges, rangesContract } from "./desktop/practice/ranges.ts";
import { receivedContract } from "./desktop/network/received.ts";
import { reportsContract } from "./desktop/reports.ts";
import { sampleContract } from "./desktop/sample.ts";
import { settings } from "./desktop/settings.ts";
import { failure, fault, id, type Failure } from "./desktop/shapes.ts";
import { updatesContract, updateState } from "./desktop/updates.ts";
import { usgContract } from "./desktop/usg.ts";

export { desktopRoutes, uploadHeader } from "./desktop/routes.ts";

/** Requests of the page, one row per channel, for both transports: Electron's IPC and `POST /app/call/<channel>`. */
export const desktopContract = {
  ...filmsContract,
  ...annotationsContract,
  ...patientsContract,
  ...agreementContract,
  ...usgContract,
  ...captureContract,
  ...ledgerContract,
  ...dicomContract,
  ...receivedContract,
  ...pacsContract,
  ...ordersContract,
  ...marksContract,
  ...keyFilmsContract,
  ...programContract,
  ...backupsContract,
  ...reportsContract,
  ...deidentifyContract,
  ...databaseContract,
  ...foldersContract,
  ...hl7Contract,
  ...openingContract,
  ...rangesContract,
  ...peopleContract,
  ...sampleContract,
  ...updatesContract,
} as const;

/** Events for the page. @public the table next to `desktopContract`; its types are derived below */
export const desktopEvents = {
  "film.changed": z.object({ film }),
  "annotations.changed": z.object({ filmId: id, version: z.int() }),
  "film.removed": z.object({ filmIds: z.array(id) }),
  /** Not sent to the pages of `session`, which opened or closed a film. */
  "openFilms.changed": z.object({ session: z.string().optional() }),
  /** Events of other workstations may have been missed; the page must refetch everything it shows. */
  "events.missed": z.object({}),
  /** Files in a folder or ZIP, opened without a request of the page, that are not films and were skipped. */
  "files.leftAlone": z.object({ files: z.array(unopenedFile) }),
  "patients.changed": z.object({}),
  "settings.changed": z.object({ settings }),
  "ranges.changed": ownRanges,
  "updates.changed": z.object({ state: updateState }),
  "server.changed": z.object({}),
  "packs.changed": z.object({ health }),
  "publishers.changed": z.object({}),
  /** The encryption or decryption planned for the next start changed. */
  "encryption.changed": z.object({}),
  /** Current problems with the record, disk or clock; empty once all are resolved. */
  "troubles.changed": z.object({ troubles: z.array(failure) }),
  /** Whether films on the worklist wait because other programs fill the inference queue. */
  "queue.changed": z.object({ isFull: z.boolean() }),
  "keys.revoked": z.object({ keyId: id }),
  /** New ledger rows; several may share one event. */
  "ledger.changed": z.object({}),
  /** New screenings by the window or the API; several API calls may share one event. */
  "screenings.changed": z.object({}),
  "session.changed": z.object({}),
  "dicom.changed": z.object({}),
  /** The order assigned to the next picture changed. */
  "orders.changed": z.object({}),
  /** A scan of the watched folders found changes, or results were written. */
  "folders.changed": z.object({}),
  "dicom.sending": z.object({ sendId: z.uuid(), progress: sendProgress }),
  "pacs.fetching": z.object({ jobId: z.uuid(), progress: fetchProgress }),
  "backup.progress": z.object({ backupId: z.uuid(), progress: backupProgress }),
  /** Another program requests to show a patient or a film; `opening.claim` returns which. */
  "opening.asked": z.object({}),
  fault: z.object({ fault }),
  "menu.command": z.object({ command: z.enum(menuCommands) }),
} as const;

type Contract = typeof desktopContract;

export type DesktopChannel = keyof Contract;
/** Request as sent: fields with a default may be absent. */
export type DesktopRequest<C extends DesktopChannel> = z.input<Contract[C]["request"]>;
/** Request as received: validated, with defaults. */
export type DesktopParsedRequest<C extends DesktopChannel> = z.output<Contract[C]["request"]>;
export type DesktopResponse<C extends DesktopChannel> = z.output<Contract[C]["response"]>;
export type DesktopAnswer<T> = { readonly ok: true; readonly value: T } | ({ readonly ok: false } & Failure);

export type DesktopEventName = keyof typeof desktopEvents;
export type DesktopEventPayload<E extends DesktopEventName> = z.output<(typeof desktopEvents)[E]>;
export type DesktopEvent = {
  [E in DesktopEventName]: { readonly name: E; readonly payload: DesktopEventPayload<E> };
}[DesktopEventName];

export const desktopChannels = Object.keys(desktopContract) as DesktopChannel[];

/** Type check of all rows: a missing permission, or a permission for another request, does not compile. */
const rows: { readonly [C in DesktopChannel]: Channel<DesktopParsedRequest<C>> } = desktopContract;

export function findChannel(name: string): Channel | undefined {
  return Object.hasOwn(rows, name) ? rows[name as DesktopChannel] : undefined;
}

/** Type of `window.corvet` in Electron; absent in a browser. */
export type DesktopBridge = {
  readonly platform: string;
  readonly calls: {
    readonly [C in DesktopChannel]: (request: DesktopRequest<C>) => Promise<DesktopAnswer<DesktopResponse<C>>>;
  };
  subscribe(listener: (event: DesktopEvent) => void): () => void;
};
