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
import { health, menuCommands, programContract, serverState } from "./desktop/program.ts";
import { ownRanges, rangesContract } from "./desktop/practice/ranges.ts";
import { receivedContract } from "./desktop/network/received.ts";
import { reportsContract } from "./desktop/reports.ts";
import { sampleContract } from "./desktop/sample.ts";
import { settings } from "./desktop/settings.ts";
import { failure, fault, id, type Failure } from "./desktop/shapes.ts";
import { updatesContract, updateState } from "./desktop/updates.ts";
import { usgContract } from "./desktop/usg.ts";

export { desktopRoutes, uploadHeader } from "./desktop/routes.ts";

/**
 * Requests of the page to the program, one row per channel, for both transports: Electron's IPC (the preload loops over
 * it) and `POST /app/call/<channel>` for the page in a browser.
 */
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

/**
 * Events sent to the renderer: event -> payload.
 *
 * @public the table next to `desktopContract`; its types are derived below
 */
export const desktopEvents = {
  "film.changed": z.object({ film }),
  "annotations.changed": z.object({ filmId: id, version: z.int() }),
  "film.removed": z.object({ filmIds: z.array(id) }),
  /** A film was opened or closed: refetch who has which film. Not sent to the pages of `session`, which did so. */
  "openFilms.changed": z.object({ session: z.string().optional() }),
  /** News from other machines may be missing: the page must ask again for everything it shows. */
  "events.missed": z.object({}),
  /** Files of a folder or ZIP that the program opened by itself and left alone: they are not films. */
  "files.leftAlone": z.object({ files: z.array(unopenedFile) }),
  "patients.changed": z.object({ patientIds: z.array(id) }),
  "settings.changed": z.object({ settings }),
  "ranges.changed": ownRanges,
  "updates.changed": z.object({ state: updateState }),
  "server.changed": z.object({ server: serverState }),
  "packs.changed": z.object({ health }),
  /** Whom the practice trusts to sign packs, at each of its machines. */
  "publishers.changed": z.object({}),
  /** Whether the next start encrypts the data, or decrypts them, is planned otherwise. */
  "encryption.changed": z.object({}),
  /** Present problems of record, disk or clock; empty once all are resolved. */
  "troubles.changed": z.object({ troubles: z.array(failure) }),
  /** Whether the worklist's films wait because other programs hold every place in front of the networks. */
  "queue.changed": z.object({ isFull: z.boolean() }),
  /** An API key is good no longer, at no machine. */
  "keys.revoked": z.object({ keyId: id }),
  /** The ledger has new rows; several rows may share one event. */
  "ledger.changed": z.object({}),
  /** A cat was screened, in a window or by the API; several calls of the API may share one event. */
  "screenings.changed": z.object({}),
  "session.changed": z.object({}),
  "dicom.changed": z.object({}),
  /** An order waits for the next picture, or no longer. */
  "orders.changed": z.object({}),
  /** A scan of the watched folders found changes, or results were written. */
  "folders.changed": z.object({}),
  "dicom.sending": z.object({ sendId: z.uuid(), progress: sendProgress }),
  "pacs.fetching": z.object({ jobId: z.uuid(), progress: fetchProgress }),
  "backup.progress": z.object({ backupId: z.uuid(), progress: backupProgress }),
  /** Another program asks to show a patient or a film; `opening.claim` returns which. */
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

/** A row without a permission, or with one for another request, does not compile. */
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
  /** @returns a function that ends the subscription */
  subscribe(listener: (event: DesktopEvent) => void): () => void;
};
