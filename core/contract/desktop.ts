import type { z } from "zod";
import { agreementContract } from "./desktop/trends/agreement.ts";
import { annotationsContract } from "./desktop/annotations.ts";
import { captureContract } from "./desktop/capture.ts";
import type { Channel } from "./channel.ts";
import { backupsContract } from "./desktop/practice/backups.ts";
import { databaseContract } from "./desktop/practice/database.ts";
import { deidentifyContract } from "./desktop/network/deidentify.ts";
import { dicomContract } from "./desktop/network/dicom.ts";
import { filmsContract } from "./desktop/films.ts";
import { foldersContract } from "./desktop/practice/folders.ts";
import { hl7Contract } from "./desktop/practice/hl7.ts";
import { keyFilmsContract } from "./desktop/network/key-films.ts";
import { marksContract } from "./desktop/network/marks.ts";
import { ordersContract } from "./desktop/network/orders.ts";
import { ledgerContract } from "./desktop/ledger.ts";
import { openingContract } from "./desktop/practice/opening.ts";
import { pacsContract } from "./desktop/network/pacs.ts";
import { peopleContract } from "./desktop/practice/people.ts";
import { patientsContract } from "./desktop/patients.ts";
import { programContract } from "./desktop/program.ts";
import { rangesContract } from "./desktop/practice/ranges.ts";
import { receivedContract } from "./desktop/network/received.ts";
import { reportsContract } from "./desktop/reports.ts";
import { sampleContract } from "./desktop/sample.ts";
import type { Failure } from "./desktop/shapes.ts";
import { updatesContract } from "./desktop/updates.ts";
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

type Contract = typeof desktopContract;

export type DesktopChannel = keyof Contract;
/** Request as sent: fields with a default may be absent. */
export type DesktopRequest<C extends DesktopChannel> = z.input<Contract[C]["request"]>;
/** Request as received: validated, with defaults. */
export type DesktopParsedRequest<C extends DesktopChannel> = z.output<Contract[C]["request"]>;
export type DesktopResponse<C extends DesktopChannel> = z.output<Contract[C]["response"]>;
export type DesktopAnswer<T> = { readonly ok: true; readonly value: T } | ({ readonly ok: false } & Failure);

export const desktopChannels = Object.keys(desktopContract) as DesktopChannel[];

/** Type check of all rows: a missing permission, or a permission for another request, does not compile. */
const rows: { readonly [C in DesktopChannel]: Channel<DesktopParsedRequest<C>> } = desktopContract;

export function findChannel(name: string): Channel | undefined {
  return Object.hasOwn(rows, name) ? rows[name as DesktopChannel] : undefined;
}
