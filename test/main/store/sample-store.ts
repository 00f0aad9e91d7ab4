import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ownAngleDeg } from "../../../core/cardiac/heart-score.ts";
import type { MeasuredRadiograph, RejectedImage } from "../../../core/cardiac/radiograph-measurement.ts";
import { openStore, type OpenOptions, type ReadableDb, type WritableDb } from "../../../main/store/database.ts";
import type { MeteredCall } from "../../../main/services/calls/billing.ts";
import { engineOf, transaction } from "../../../main/store/engines/engine.ts";
import { appendCharge } from "../../../main/store/ledger/ledger.ts";
import { storeFile } from "../../../main/store/files/store-files.ts";

export function temporaryDataDir(): { readonly dataDir: string; remove(): void } {
  const dataDir = mkdtempSync(path.join(tmpdir(), "corvet-store-"));
  return { dataDir, remove: () => rmSync(dataDir, { recursive: true, force: true }) };
}

let emptyStore: Buffer | null = null;

/** Copies an empty, migrated store, created once per process, into a data directory. Does nothing on PostgreSQL. */
export async function putEmptyStore(dataDir: string): Promise<void> {
  if (process.env["CORVET_TEST_ENGINE"] === "postgres") return;
  if (emptyStore === null) {
    const made = temporaryDataDir();
    await (await openStore(made.dataDir)).destroy();
    emptyStore = readFileSync(storeFile(made.dataDir));
    made.remove();
  }
  writeFileSync(storeFile(dataDir), emptyStore, { mode: 0o600 });
}

export type TemporaryStore = { readonly dataDir: string; readonly db: WritableDb; remove(): Promise<void> };

/** `isFast` disables flushing, for tests that write thousands of rows. */
export async function temporaryStore({
  isFast = true,
  ...options
}: OpenOptions & { isFast?: boolean } = {}): Promise<TemporaryStore> {
  const { dataDir, remove } = temporaryDataDir();
  await putEmptyStore(dataDir);
  const db = await openStore(dataDir, options);
  if (isFast) engineOf(db).file?.pragma("synchronous = OFF");
  return {
    dataDir,
    db,
    async remove() {
      await db.destroy();
      remove();
    },
  };
}

/** Stored measurements of an account, newest first, with JSON columns parsed. */
export async function storedMeasurements(db: ReadableDb, accountId: string): Promise<Record<string, unknown>[]> {
  const stored = sql<Record<string, unknown>>`
    SELECT * FROM measurements WHERE account_id = ${accountId} ORDER BY at_ms DESC, id DESC`;
  const { rows } = await stored.execute(db.withoutPlugins());
  const isJson = (value: unknown) => typeof value === "string" && /^[[{]/.test(value);
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        isJson(value) ? (JSON.parse(String(value)) as unknown) : value,
      ]),
    ),
  );
}

export const storedProvenance = {
  image_sha256: "ab".repeat(32),
  pack_name: "landmarks",
  pack_version: "1.2.0",
  model_version: "3.4.0-ensemble",
  program_version: "0.1.0",
};
const provenance = {
  imageSha256: "ab".repeat(32),
  packName: "landmarks",
  packVersion: "1.2.0",
  modelVersion: "3.4.0-ensemble",
  programVersion: "0.1.0",
  isClinicallyValidated: false,
};
const point = (x: number, y: number) => ({ x, y });
const landmarks = {
  heart_top: point(500.25, 300),
  heart_bottom: point(620, 700.5),
  heart_right: point(420, 520),
  heart_left: point(700, 470),
  VLAS: point(610, 330),
  "Vertebra A": point(350, 200),
  "Vertebra B": point(850, 190),
};

export const measured: MeasuredRadiograph = {
  kind: "measured",
  resultCode: 1,
  widthPx: 1080,
  heightPx: 900,
  classifierConfidence: 0.99,
  provenance,
  popDetected: false,
  corners: null,
  spread: 0.003_217,
  sharpness: 0.8,
  tier: "optimal",
  reviewReasons: [],
  landmarks,
  ruler: {
    kind: "detected",
    edges: [point(350, 200), point(450, 198), point(550, 196), point(650, 194), point(750, 192), point(850, 190)],
  },
  edges: [
    point(350, 200),
    point(450, 198),
    point(550, 196),
    point(650, 194),
    point(750, 192),
    point(850, 190),
    point(950, 188),
  ],
  otherCount: null,
  outline: null,
  intervals: null,
  votes: [],
  score: {
    vhs: 10.123_456,
    vlas: 2.345_678,
    longAxisVertebrae: 5.2,
    shortAxisVertebrae: 4.92,
    axesAngleDeg: ownAngleDeg(landmarks),
    areAxesPerpendicular: true,
    isGeometryValid: true,
  },
};

export const measuredPicture = {
  frame: { widthPx: measured.widthPx, heightPx: measured.heightPx },
  corners: null,
};

export const unmeasured: MeasuredRadiograph = {
  ...measured,
  resultCode: 5,
  tier: "review",
  reviewReasons: [{ kind: "no_score", value: null, limit: null }],
  score: { ...measured.score, vhs: null, vlas: null, isGeometryValid: false },
};

export const rejected: RejectedImage = {
  kind: "rejected",
  resultCode: 6,
  widthPx: 640,
  heightPx: 480,
  classifierConfidence: 0.97,
  provenance,
};

export function measuredAt(vhs: number, vlas: number | null = 2): MeasuredRadiograph {
  return { ...measured, score: { ...measured.score, vhs, vlas } };
}

/** Charges calls without measurements. One transaction would make PostgreSQL keep every version of the count. */
export async function fillMonth(
  db: WritableDb,
  { accountId, at, calls }: { readonly accountId: string; readonly at: Date; readonly calls: number },
): Promise<void> {
  const call = { accountId, keyId: null, service: "usg", callType: "single", uuid: null, at } as const;
  const rest = { measurementId: null, agreements: { enterprise: null, usgCents: null } };
  for (let from = 0; from < calls; from += 100)
    await transaction(db, async () => {
      for (let count = from; count < Math.min(calls, from + 100); count += 1)
        await appendCharge(db, { ...call, ...rest, callId: `${accountId} ${at.getTime()} ${count}` });
    });
}

export function meteredCall(change: Partial<MeteredCall> & Pick<MeteredCall, "accountId">): MeteredCall {
  return {
    callId: randomUUID(),
    keyId: null,
    service: "cardiac",
    callType: "single",
    uuid: null,
    at: new Date("2026-11-10T09:00:00Z"),
    isBillable: true,
    measurements: [measured],
    ...change,
  };
}
