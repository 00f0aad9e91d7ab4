import { createHash } from "node:crypto";
import type { Insertable } from "kysely";
import { saveFilmFile } from "../../../../main/services/desktop/film-files.ts";
import { findImage, type FilmsPlace } from "../../../../main/services/desktop/film-images.ts";
import { setEnterpriseRates, insertApiKey } from "../../../../main/store/people/api-keys.ts";
import { ensureAccount } from "../../../../main/store/people/accounts.ts";
import { recordAudit } from "../../../../main/store/audit/audit-events.ts";
import type { ReadableDb, WritableDb } from "../../../../main/store/connection.ts";
import { copiedTables, nameOfTable } from "../../../../main/store/copying/copied-tables.ts";
import { transaction } from "../../../../main/store/engines/engine.ts";
import { appendCharge, reverseCharge } from "../../../../main/store/ledger/ledger.ts";
import { nameOfImage } from "../../../../main/store/film-images/film-images.ts";
import { sealValues } from "../../../../main/store/record/value-seals.ts";
import type { Tables } from "../../../../main/store/tables.ts";
import { rawly } from "../../../fixtures/raw-store.ts";

const at = new Date("2026-11-10T09:00:00Z");
const atMs = at.getTime();
/** Text, JSON and numbers that an inexact copy would change. */
const text = 'Ärzte "Nord" \\ \n 🐕 ﬁ e\u0301';
const json = '{ "b":1.10, "a":[ ], "b":1e3, "c":"\\u0000" }';
const numbers = [0.1 + 0.2, Number.MIN_VALUE, Number.MAX_VALUE, -1e-7, 3];
const numberOf = (index: number) => numbers[index % numbers.length] ?? 0;
/** Identifiers whose order differs from the order of insertion. */
const idOf = (name: string, index: number) => `${(index * 7) % 24}-${name}`;
const times = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Adds more than five rows (a page) to most tables of a store and at least one to each, sealed as by the program. */
export async function fillStore(db: WritableDb): Promise<void> {
  await fillAccounts(db);
  await fillMeasurements(db);
  await fillPatients(db);
  await fillFilms(db);
  await fillOthers(db);
  for (const subject of times(8)) await recordAudit(db, { action: "film.removed", at, subject: `film ${subject}` });
}

async function fillAccounts(db: WritableDb): Promise<void> {
  for (const name of ["Clinic", text]) await ensureAccount(db, { name, at });
  const accountId = await firstAccount(db);
  for (const index of times(7))
    await insertApiKey(
      db,
      { id: idOf("key", index), accountId, name: text, keySha256: Buffer.alloc(32, 255 - index) },
      at,
    );
  await setEnterpriseRates(db, { keyId: idOf("key", 3), rates: { single: 100, session: 200 } });
  await insert(db, "people", 6, (index) => ({
    ...{
      id: idOf("person", index),
      name: `${text} ${index}`,
      role: "assistant" as const,
      secretHash: "$",
      createdAtMs: atMs,
    },
  }));
  await insert(db, "settings", 6, (index) => ({ key: `${text} ${index}`, value: json }));
  await insert(db, "machines", 2, (index) => ({ id: `${index}`, name: text, programVersion: "1.0.0", seenAtMs: atMs }));
  await insert(db, "openFilms", 2, (index) => ({ filmId: "film", machineId: `${index}`, who: text, sinceMs: atMs }));
}

async function fillMeasurements(db: WritableDb): Promise<void> {
  await insert(db, "measurements", 12, (index, accountId) => measurement(accountId, index));
  for (const { id } of await db.selectFrom("measurements").select("id").orderBy("id").execute())
    await sealValues(db, "measurements", String(id));
  await loseNumber99(db);
  const accountId = await firstAccount(db);
  for (const index of times(12)) {
    const call = {
      callId: `call ${index}`,
      accountId,
      keyId: null,
      callType: "single",
      uuid: `Bello ${index}`,
      at,
    } as const;
    const agreements = { enterprise: null, usgCents: 300 };
    await appendCharge(db, { ...call, service: "cardiac", measurementId: index + 1, agreements });
  }
  await reverseCharge(db, { seq: 3, note: text, at });
  await insert(db, "undeliveredCharges", 2, (index) => ({ callId: `call ${index}`, seq: index + 1 }));
  await insert(db, "usgPredictions", 8, (index, account) => screening(account, index));
  await insert(db, "screenedPatients", 7, (index) => ({
    callId: idOf("screening", index),
    patientId: idOf("patient", index),
  }));
  for (const index of times(8)) await sealValues(db, "usg_predictions", idOf("screening", index));
}

function measurement(accountId: string, index: number): Insertable<Tables["measurements"]> {
  return {
    ...{
      callId: `call ${index}`,
      photoIndex: 0,
      isBest: 1,
      accountId,
      service: "cardiac",
      uuid: `Bello ${index}`,
      atMs,
    },
    ...{ uuidNfc: `Bello ${index}`, imageSha256: "", packName: text, packVersion: "", modelVersion: "" },
    ...{ programVersion: "", parameters: json, widthPx: 1, heightPx: 1, classifierConfidence: numberOf(index) },
    ...{ resultCode: 0, vhs: numberOf(index + 1), popDetected: 0, landmarks: index === 2 ? json : null },
  };
}

/** Assigns a number and deletes its row: the number must not be reused. */
async function loseNumber99(db: WritableDb): Promise<void> {
  const accountId = await firstAccount(db);
  await transaction(db, async () => {
    await db
      .insertInto("measurements")
      .values({ ...measurement(accountId, 99), id: 99 })
      .execute();
    await db.insertInto("erasing").values({ pseudonym: "erased" }).execute();
    await db.deleteFrom("measurements").where("id", "=", 99).execute();
    await db.deleteFrom("erasing").execute();
  });
}

function screening(accountId: string, index: number): Insertable<Tables["usgPredictions"]> {
  return {
    ...{ callId: idOf("screening", index), accountId, atMs, bunMgPerDl: numberOf(index), creatinineMgPerDl: 1 },
    ...{ haemoglobinGPerDl: 1, lymphocytesPerUl: 1, ageMonths: 1, probabilityImpaired: 0.1 + 0.2, riskTier: "low" },
    thresholdImpaired: 0.5,
    ...{ packName: "", packVersion: "", modelVersion: "", programVersion: "", result: json, billing: "not_metered" },
  };
}

async function fillPatients(db: WritableDb): Promise<void> {
  await insert(db, "patients", 7, (index) => ({
    ...{
      id: idOf("patient", index),
      name: text,
      species: "dog" as const,
      breed: "",
      owner: text,
      uuid: `Bello ${index}`,
    },
    ...{ uuidNfc: `Bello ${index}`, weightKg: 0.1 + 0.2, createdAtMs: atMs, lastSeenAtMs: atMs },
  }));
  const patientId = idOf("patient", 0);
  await insert(db, "patientAliases", 6, (index) => ({ uuidNfc: idOf("alias", index), uuid: text, patientId }));
  await insert(db, "dicomPatients", 6, (index) => ({ uuid: idOf("uuid", index), patientId, name: text, number: null }));
}

async function fillFilms(db: WritableDb): Promise<void> {
  await insert(db, "films", 11, (index) => ({
    ...{ id: idOf("film", index), fileName: text, ...imageOf(index), origin: "file" },
    ...{ addedAtMs: atMs, takenAtMs: atMs, state: "done", widthPx: 1, heightPx: 1, hasImage: 1 },
  }));
  await db.deleteFrom("films").where("id", "=", idOf("film", 4)).execute();
  const filmId = idOf("film", 0);
  await insert(db, "readings", 7, (index) => ({
    ...{
      id: idOf("reading", index),
      filmId,
      version: index + 1,
      source: "model" as const,
      atMs,
      remark: text,
      detail: json,
    },
  }));
  await insert(db, "readingValues", 14, (index) => ({
    ...{ readingId: idOf("reading", index % 7), measure: index < 7 ? "VLAS" : "VHS", value: numberOf(index) },
  }));
  await insert(db, "annotations", 6, (index) => ({
    ...{ id: idOf("annotation", index), filmId, version: index + 1, atMs, content: json },
  }));
  for (const index of times(7)) await sealValues(db, "readings", idOf("reading", index));
  for (const index of times(6)) await sealValues(db, "annotations", idOf("annotation", index));
  await insert(db, "dicomInstances", 3, (index) => ({ filmId: idOf("film", index), facts: json, shape: "" }));
  await insert(db, "watchedFilms", 3, (index) => ({ filmId: idOf("film", index) }));
}

/** Films 5 and 6 are frames of one file, which is larger than one part of an image in a database. */
const original = (index: number) =>
  [5, 6].includes(index) ? Buffer.alloc(1_500_000, "film") : Buffer.from(`film ${index}`);
const imageOf = (index: number) => ({
  sha256: createHash("sha256").update(original(index)).digest("hex"),
  frameIndex: index === 6 ? 1 : 0,
  hasRectified: Number(index === 2),
});

/** Adds the films' files to the directory of a filled store, except one thumbnail; one original is damaged. */
export async function fillFilmFiles(dataDir: string): Promise<void> {
  for (const index of times(11)) {
    const { sha256, frameIndex, hasRectified } = imageOf(index);
    const bytes = index === 8 ? Buffer.from("damaged") : original(index);
    await saveFilmFile(dataDir, nameOfImage(sha256, "original", frameIndex), bytes);
    const pictures = [...(index === 9 ? [] : ["thumbnail" as const]), ...(hasRectified ? ["rectified" as const] : [])];
    for (const image of pictures)
      await saveFilmFile(dataDir, nameOfImage(sha256, image, frameIndex), Buffer.from(`${image} ${index}`));
  }
}

/** Digests of the images of all films of a filled store; null for missing ones. */
export async function imagesOfStore(place: FilmsPlace): Promise<readonly (string | null)[]> {
  const images: (string | null)[] = [];
  for (const index of times(11).filter((film) => film !== 4))
    for (const image of ["original", "thumbnail", "rectified"] as const) {
      const { sha256, frameIndex } = imageOf(index);
      const bytes = await findImage(place, nameOfImage(sha256, image, frameIndex));
      images.push(bytes && createHash("sha256").update(bytes).digest("hex"));
    }
  return images;
}

async function fillOthers(db: WritableDb): Promise<void> {
  const keyId = idOf("key", 0);
  await insert(db, "popSessions", 6, (index, accountId) => ({
    ...{ id: idOf("session", index), keyId, accountId, startedAtMs: atMs, endedAtMs: atMs, terminalBody: json },
  }));
  await insert(db, "popSessionFrames", 12, (index) => ({
    ...{ sessionId: idOf("session", index % 6), frameIndex: index, measurement: json },
    film: index === 3 ? Buffer.from(times(3000)) : null,
  }));
  await insert(db, "waitingResults", 6, (index) => ({
    ...{ sopInstanceUid: idOf("uid", index), filmSopInstanceUid: "", frameIndex: 0, readings: json },
  }));
  await insert(db, "setAsideObjects", 6, (index) => ({
    ...{ id: idOf("object", index), fileName: `${index}`, receivedAtMs: atMs, failure: json },
  }));
  await insert(db, "watchedFiles", 6, (index) => ({
    ...{ pathSha256: idOf("path", index), sizeBytes: 2 ** 40, changedAtMs: atMs, outcome: "opened" as const, atMs },
  }));
  await insert(db, "erasedRows", 6, (index) => ({ pseudonym: "erased", subject: `readings/${index}`, found: null }));
}

/** Inserts rows one by one, in an order that differs from that of their keys. */
async function insert<Name extends keyof Tables>(
  db: WritableDb,
  table: Name,
  count: number,
  rowOf: (index: number, accountId: string) => Insertable<Tables[Name]>,
): Promise<void> {
  const accountId = await firstAccount(db);
  for (const index of times(count))
    await db
      .insertInto<keyof Tables>(table)
      .values(rowOf(index, accountId) as never)
      .execute();
}

async function firstAccount(db: ReadableDb): Promise<string> {
  const accounts = db.selectFrom("accounts").select("id").where("name", "=", "Clinic");
  return (await accounts.executeTakeFirstOrThrow()).id;
}

/** All rows of a store by table, in a form that is the same on both engines. */
export async function contentOfStore(db: ReadableDb): Promise<Readonly<Record<string, readonly string[]>>> {
  const content: Record<string, readonly string[]> = {};
  for (const table of copiedTables.map(nameOfTable)) {
    const columns = ["films", "usg_predictions"].includes(table) ? "rowid, *" : "*";
    const rows = await rawly(db, `SELECT ${columns} FROM ${table}`);
    content[table] = rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort();
  }
  return content;
}
