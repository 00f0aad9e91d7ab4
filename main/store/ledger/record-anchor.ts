import { createHash } from "node:crypto";
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { z } from "zod";
import type { ReadableDb, WritableDb } from "../connection.ts";
import { engineOf } from "../engines/engine.ts";
import { assertReadable } from "../files/private-file.ts";
import { anchorFile, setAnchorAside } from "../files/store-files.ts";

const headSchema = z.object({
  ledgerSeq: z.int().min(0),
  ledgerHash: z.string(),
  sealSeq: z.int().min(0),
  sealHash: z.string(),
  atMs: z.int(),
});

/**
 * Head of the record: number and hash of the last row of the ledger and of the last seal (0 and "" without one), and
 * when it was noted [UTC ms].
 */
export type RecordHead = Readonly<z.infer<typeof headSchema>>;

/** Heads are written alternately to two slots, so that a write torn by a power cut leaves the other. */
const slotBytes = 512;
const slotCount = 2;

type Anchor = { readonly dataDir: string; slot: number; isHeld: boolean; note: () => Promise<void> };

/** Stores whose head is kept outside them. */
const anchors = new WeakMap<ReadableDb, Anchor>();

export async function readHead(db: ReadableDb, atMs: number): Promise<RecordHead> {
  const last = async (table: "ledger" | "valueSeals") =>
    (await db.selectFrom(table).select(["seq", "hash"]).orderBy("seq", "desc").limit(1).executeTakeFirst()) ?? {
      seq: 0,
      hash: "",
    };
  const { seq: ledgerSeq, hash: ledgerHash } = await last("ledger");
  const { seq: sealSeq, hash: sealHash } = await last("valueSeals");
  return { ledgerSeq, ledgerHash, sealSeq, sealHash, atMs };
}

/** The head that was noted last outside the store; null if there is none. @throws SystemError if it cannot be read */
export function readAnchor(dataDir: string): RecordHead | null {
  let text: string;
  try {
    text = readFileSync(anchorFile(dataDir), "latin1");
  } catch (error) {
    assertReadable(error);
    return null;
  }
  const heads = Array.from({ length: slotCount }, (_, slot) =>
    headOfSlot(text.slice(slot * slotBytes, (slot + 1) * slotBytes)),
  );
  return heads.reduce((newest, head) => (isFurther(head, newest) ? head : newest), null);
}

/** The head that was noted last outside an open store. @see keepAnchor */
export function readNotedHead(db: ReadableDb): RecordHead | null {
  const anchor = anchors.get(db);
  return anchor ? readAnchor(anchor.dataDir) : null;
}

/** Whether the noted head does not fit the store, so that rows are lost and unexplained. @see keepAnchor */
export function isHeadHeld(db: ReadableDb): boolean {
  return anchors.get(db)?.isHeld ?? false;
}

export function isFurther(head: RecordHead | null, than: RecordHead | null): boolean {
  if (head === null || than === null) return head !== null;
  return head.ledgerSeq + head.sealSeq > than.ledgerSeq + than.sealSeq;
}

/**
 * From now on every row that is committed through this connection is noted outside the store.
 *
 * @param isHeld  the noted head does not fit the store: it stays as the evidence until an administrator has stated why
 */
export function keepAnchor(db: WritableDb, dataDir: string, { isHeld }: { readonly isHeld: boolean }): void {
  anchors.set(db, { dataDir, slot: 0, isHeld, note: async () => void (await noteHead(db)) });
}

/** Notes the head after a new row is committed, and before the response of its call is sent. */
export async function recordGrew(db: WritableDb): Promise<void> {
  const anchor = anchors.get(db);
  if (anchor) await engineOf(db).driver.afterCommit(anchor.note);
}

/**
 * Notes the head now. A note that cannot be written (a full disk, no more files) does not hold up the call: the one
 * before it is a true lower bound.
 *
 * @returns whether it is noted
 */
export async function noteHead(db: WritableDb, { isSynced = false } = {}): Promise<boolean> {
  const anchor = anchors.get(db);
  if (!anchor || anchor.isHeld || engineOf(db).isOverwritten()) return false;
  try {
    writeSlot(anchorFile(anchor.dataDir), await readHead(db, Date.now()), anchor.slot, isSynced);
    anchor.slot = (anchor.slot + 1) % slotCount;
    return true;
  } catch {
    return false;
  }
}

/** Replaces the noted head unconditionally: after a restore, or after an administrator's statement. */
export async function moveAnchor(db: WritableDb): Promise<void> {
  const anchor = anchors.get(db);
  if (!anchor) return;
  // The note that is set aside keeps films of the lost rows. @see filmsOfAsideUntilMs
  if (anchor.isHeld) setAnchorAside(anchor.dataDir, "replaced", new Date());
  anchor.isHeld = false;
  for (let slot = 0; slot < slotCount; slot += 1) await noteHead(db, { isSynced: true });
}

function writeSlot(file: string, head: RecordHead, slot: number, isSynced: boolean): void {
  const handle = openForWriting(file);
  try {
    const text = JSON.stringify(head);
    const line = `${digestOf(text)} ${text}`.padEnd(slotBytes - 1);
    writeSync(handle, `${line}\n`, slot * slotBytes, "latin1");
    if (isSynced) fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function openForWriting(file: string): number {
  try {
    return openSync(file, "r+");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return openSync(file, "w", 0o600);
  }
}

function headOfSlot(line: string): RecordHead | null {
  const [digest, text = ""] = line.trim().split(/ (.*)/s);
  if (digest !== digestOf(text)) return null;
  return parseHead(text);
}

/** A head out of its JSON; null for anything else. @throws SyntaxError when it is not JSON */
export function parseHead(json: string): RecordHead | null {
  const head = headSchema.safeParse(JSON.parse(json));
  return head.success ? head.data : null;
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
