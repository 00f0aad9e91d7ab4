import { createHash } from "node:crypto";
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { z } from "zod";
import type { ReadableDb, WritableDb } from "../connection.ts";
import { engineOf } from "../engines/engine.ts";
import { assertReadable } from "../files/private-file.ts";
import { anchorFile, setAsideAnchor } from "../files/store-files.ts";

const headSchema = z.object({
  ledgerSeq: z.int().min(0),
  ledgerHash: z.string(),
  sealSeq: z.int().min(0),
  sealHash: z.string(),
  atMs: z.int(),
});

/** Number and hash of the last ledger row and the last seal (0 and "" without one), and time of the note [UTC ms]. */
export type RecordHead = Readonly<z.infer<typeof headSchema>>;

/** Heads are written to two slots in turn, so that a power cut during a write leaves the other one intact. */
const slotBytes = 512;
const slotCount = 2;

type Anchor = { readonly dataDir: string; slot: number; isHeld: boolean; note: () => Promise<void> };

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

/** @throws SystemError if the note cannot be read */
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
  return heads.reduce((newest, head) => (isLaterHead(head, newest) ? head : newest), null);
}

export function readNotedHead(db: ReadableDb): RecordHead | null {
  const anchor = anchors.get(db);
  return anchor ? readAnchor(anchor.dataDir) : null;
}

/** @see startRecordAnchor */
export function isNotedHeadLost(db: ReadableDb): boolean {
  return anchors.get(db)?.isHeld ?? false;
}

export function isLaterHead(head: RecordHead | null, than: RecordHead | null): boolean {
  if (head === null || than === null) return head !== null;
  return head.ledgerSeq + head.sealSeq > than.ledgerSeq + than.sealSeq;
}

/** @param isHeld  whether noted rows are missing: the note stays as evidence until an administrator's statement */
export function startRecordAnchor(db: WritableDb, dataDir: string, { isHeld }: { readonly isHeld: boolean }): void {
  anchors.set(db, { dataDir, slot: 0, isHeld, note: async () => void (await noteHead(db)) });
}

/** Notes the head once the transaction commits, before the response of the call is sent. */
export async function anchorNewRows(db: WritableDb): Promise<void> {
  const anchor = anchors.get(db);
  if (anchor) await engineOf(db).driver.afterCommit(anchor.note);
}

/**
 * If the note cannot be written (a full disk, too many open files), the previous one is a valid lower bound.
 *
 * @returns whether the note was written
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
  // The set-aside note protects films of the lost rows from deletion. @see setAsideFilmsUntilMs
  if (anchor.isHeld) setAsideAnchor(anchor.dataDir, "replaced", new Date());
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

/** @throws SyntaxError if the text is not JSON */
export function parseHead(json: string): RecordHead | null {
  const head = headSchema.safeParse(JSON.parse(json));
  return head.success ? head.data : null;
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
