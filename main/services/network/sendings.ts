import { randomUUID } from "node:crypto";
import { z } from "zod";
import { AppError } from "../../../core/app-error.ts";
import {
  commitmentStates,
  sendFailure,
  type SendFailure,
  type Sending,
} from "../../../core/contract/desktop/network/dicom.ts";
import type { CommitmentReport, ReferredObject } from "../../dicom/network/commitment/storage-commitment.ts";
import { uidOfUuid } from "../../dicom/results/uids.ts";
import type { ReadableDb, WritableDb } from "../../store/database.ts";
import { transaction } from "../../store/engines/engine.ts";
import { changeSetting, getSetting, type Setting } from "../../store/settings.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { filmNote, listNotesOfFilms, listOfFilms } from "../desktop/film-notes.ts";
import { recordSent } from "../results/exported-films.ts";

const keptSending = z.object({
  id: z.string(),
  nodeId: z.string(),
  node: z.string(),
  atMs: z.int(),
  objects: z.array(z.object({ sopClassUid: z.string(), sopInstanceUid: z.string() })),
  commitment: z
    .object({
      transactionUid: z.string(),
      state: z.enum(commitmentStates),
      atMs: z.int().nullable(),
      kept: z.array(z.string()),
      failure: sendFailure.nullable(),
    })
    .nullable(),
});

export type KeptSending = Readonly<z.infer<typeof keptSending>>;

const maxSendings = 20;
const [mostOpen, openMs] = [500, 30 * 24 * 60 * 60 * 1000] as const;

function sendingsSetting(filmId: string): Setting<readonly KeptSending[]> {
  return filmNote("sendings", filmId, keptSendings);
}

const keptSendings = { schema: z.array(keptSending), fallback: [] };

/** Reports may arrive days later. */
const openSetting = listOfFilms(
  "openCommitments",
  z.object({
    transactionUid: z.string(),
    filmId: z.string(),
    sendingId: z.string(),
    atMs: z.int(),
  }),
);

type Stores = Pick<DesktopContext, "db" | "now">;

export async function recordSending(
  { db, now }: Stores,
  filmId: string,
  { node, objects }: { readonly node: { id: string; name: string }; readonly objects: readonly ReferredObject[] },
): Promise<KeptSending> {
  const sending: KeptSending = {
    id: randomUUID(),
    nodeId: node.id,
    node: node.name,
    atMs: now().getTime(),
    objects: objects.map(({ sopClassUid, sopInstanceUid }) => ({ sopClassUid, sopInstanceUid })),
    commitment: null,
  };
  await transaction(db, async () => {
    await changeSetting(db, sendingsSetting(filmId), (all) => [sending, ...all].slice(0, maxSendings));
    await recordSent({ db, now }, filmId, { to: node.name });
  });
  return sending;
}

/** Stores a new transaction before the request is sent, since the report may arrive before the request completes. */
export async function openCommitment({ db, now }: Stores, filmId: string, sendingId: string): Promise<string> {
  const transactionUid = uidOfUuid(randomUUID());
  const nowMs = now().getTime();
  await transaction(db, async () => {
    await changeSetting(db, openSetting, (all) => {
      const open = all.filter(({ atMs }) => nowMs - atMs < openMs);
      return [{ transactionUid, filmId, sendingId, atMs: nowMs }, ...open].slice(0, mostOpen);
    });
    // A report for an earlier request may have arrived in the meantime.
    const kept = (await getSending(db, filmId, sendingId)).commitment?.kept ?? [];
    await change(db, filmId, sendingId, { transactionUid, state: "asked", atMs: null, kept, failure: null });
  });
  return transactionUid;
}

export async function noteRefusal(
  { db, now }: Stores,
  filmId: string,
  sendingId: string,
  failure: SendFailure,
): Promise<void> {
  await transaction(db, async () => {
    const { commitment } = await getSending(db, filmId, sendingId);
    // A report received during the request takes precedence.
    if (commitment?.state !== "asked") return;
    await change(db, filmId, sendingId, { ...commitment, state: "refused", atMs: now().getTime(), failure });
  });
}

/** @returns the film; null for an unknown transaction */
export function noteReport({ db, now }: Stores, { transactionUid, kept }: CommitmentReport): Promise<string | null> {
  return transaction(db, async () => {
    const open = (await getSetting(db, openSetting)).find((one) => one.transactionUid === transactionUid);
    if (open === undefined) return null;
    const { filmId, sendingId } = open;
    const sending = (await getSetting(db, sendingsSetting(filmId))).find(({ id }) => id === sendingId);
    if (!sending?.commitment) return null;
    const { commitment } = sending;
    const all = [...new Set([...commitment.kept, ...kept])];
    const isWhole = sending.objects.every(({ sopInstanceUid }) => all.includes(sopInstanceUid));
    const said = { state: isWhole ? "kept" : "partly", atMs: now().getTime(), failure: null } as const;
    // Objects confirmed by an earlier request are added; the state of the last request stays open.
    const isLast = commitment.transactionUid === transactionUid;
    await change(db, filmId, sending.id, { ...commitment, ...((isLast || isWhole) && said), kept: all });
    return filmId;
  });
}

/** @throws AppError NOT_FOUND */
export async function getSending(db: ReadableDb, filmId: string, sendingId: string): Promise<KeptSending> {
  const found = (await getSetting(db, sendingsSetting(filmId))).find(({ id }) => id === sendingId);
  if (!found) throw new AppError("NOT_FOUND");
  return found;
}

/** Lists SOP Instance UIDs by film id. */
export async function listSentObjects(
  db: ReadableDb,
  filmIds: readonly string[],
  nodeId: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const sendings = await listNotesOfFilms(db, "sendings", keptSendings, filmIds);
  const sentIn = (all: readonly KeptSending[]) =>
    all
      .filter((sending) => sending.nodeId === nodeId)
      .flatMap(({ objects }) => objects.map(({ sopInstanceUid }) => sopInstanceUid));
  return new Map([...sendings].map(([filmId, all]) => [filmId, sentIn(all)]));
}

export async function listSendings(db: ReadableDb, filmId: string): Promise<Sending[]> {
  return (await getSetting(db, sendingsSetting(filmId))).map(({ id, node, atMs, objects, commitment }) => ({
    id,
    node,
    at: new Date(atMs).toISOString(),
    objects: objects.length,
    commitment: commitment && {
      state: commitment.state,
      at: commitment.atMs === null ? null : new Date(commitment.atMs).toISOString(),
      notKept: objects.filter(({ sopInstanceUid }) => !commitment.kept.includes(sopInstanceUid)).length,
      failure: commitment.failure,
    },
  }));
}

async function change(
  db: WritableDb,
  filmId: string,
  sendingId: string,
  commitment: NonNullable<KeptSending["commitment"]>,
): Promise<void> {
  await changeSetting(db, sendingsSetting(filmId), (all) =>
    all.map((one) => (one.id === sendingId ? { ...one, commitment } : one)),
  );
}
