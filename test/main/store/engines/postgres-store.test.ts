// Runs once: opens PostgreSQL or both engines directly.
import { sql } from "kysely";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { searchedText } from "../../../../core/searched-text.ts";
import { ensureAccount } from "../../../../main/store/people/accounts.ts";
import type { WritableDb } from "../../../../main/store/connection.ts";
import { engineOf, snapshot, transaction } from "../../../../main/store/engines/engine.ts";
import { openPostgresStore } from "../../../../main/store/engines/postgres/open-postgres-store.ts";
import { mostFailures } from "../../../../main/store/engines/postgres/connection-check.ts";
import { postgresTimeouts } from "../../../../main/store/engines/postgres/postgres-timeouts.ts";
import { verifyLedger } from "../../../fixtures/verify-ledger.ts";
import { appendCharge } from "../../../../main/store/ledger/ledger.ts";
import { hasPostgres } from "../../../fixtures/postgres/programs.ts";
import { temporaryDatabase, type TemporaryDatabase } from "../../../fixtures/postgres/temporary-database.ts";

const at = new Date("2026-11-10T09:00:00Z");

describe("the timeouts of a store in PostgreSQL", () => {
  it("abandon a query after 10 s if its response was lost, and after 15 s if the network is down", () => {
    const { watchAfterMs, watchEveryMs, watchTimeoutMs, checkMs, connectMs } = postgresTimeouts;
    expect(watchAfterMs + watchEveryMs).toBe(10_000);
    expect(watchAfterMs + mostFailures * watchTimeoutMs).toBe(15_000);
    expect(checkMs + connectMs).toBeLessThan(15_000);
  });
});

describe.runIf(hasPostgres)("several programs on one PostgreSQL database", () => {
  let database: TemporaryDatabase;
  let programs: WritableDb[] = [];
  beforeEach(async () => {
    database = await temporaryDatabase();
    programs = [];
  });
  afterEach(async () => {
    for (const program of programs) await program.destroy();
    await database.remove();
  });
  const start = async () => {
    const program = await openPostgresStore(database.url);
    programs.push(program);
    return program;
  };

  it("append to the ledger concurrently without a gap, and charge each call once", async () => {
    const first = await start();
    const others = await Promise.all(Array.from({ length: 3 }, start));
    const { id: accountId } = await ensureAccount(first, { name: "Clinic", at });
    const charges = [first, ...others].flatMap((program, number) =>
      Array.from({ length: 15 }, (_, call) => charge(program, accountId, `${number}/${call}`)),
    );
    const events = await Promise.all(charges);
    const numbers = Array.from({ length: 60 }, (_, index) => index + 1);
    expect(events.map(({ seq }) => seq).sort((one, other) => one - other)).toEqual(numbers);
    expect(events.map(({ ordinal }) => ordinal).sort((one, other) => Number(one) - Number(other))).toEqual(numbers);
    expect(await verifyLedger(first)).toMatchObject({ isIntact: true, rows: 60 });
    expect(await engineOf(first).lastGiven("ledger")).toBe(60);
    const same = await Promise.allSettled([first, others[0]!].map((program) => charge(program, accountId, "same")));
    expect(same.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  it("read a snapshot during concurrent writes", async () => {
    const [reader, writer] = [await start(), await start()];
    const names = async () => (await reader.selectFrom("accounts").select("name").execute()).map(({ name }) => name);
    await ensureAccount(writer, { name: "before", at });
    const seen = await snapshot(reader, async () => {
      const first = await names();
      await ensureAccount(writer, { name: "meanwhile", at });
      return [first, await names()];
    });
    expect([...seen, await names()]).toEqual([["before"], ["before"], ["before", "meanwhile"]]);
  });

  it("find an account by name, ignoring the case of A to Z only", async () => {
    const program = await start();
    const { id } = await ensureAccount(program, { name: "ÄRZTE Nord", at });
    expect((await ensureAccount(program, { name: "ärzte nord", at })).id).not.toBe(id);
    expect((await ensureAccount(program, { name: "Ärzte NORD", at })).id).toBe(id);
  });

  it("read while another one writes, and cannot write in a read transaction", async () => {
    const [reader, writer] = [await start(), await start()];
    await transaction(writer, async () => {
      await ensureAccount(writer, { name: "unfinished", at });
      expect(await reader.selectFrom("accounts").selectAll().execute()).toEqual([]);
    });
    const written = snapshot(reader, () => reader.insertInto("settings").values({ key: "k", value: "1" }).execute());
    await expect(written).rejects.toThrow("read-only");
    expect(await reader.selectFrom("settings").selectAll().execute()).toEqual([]);
  });

  it("run more concurrent queries than there are connections", async () => {
    const program = await start();
    const asked = Array.from({ length: 60 }, (_, number) =>
      number % 3 === 0
        ? program
            .insertInto("settings")
            .values({ key: `${number}`, value: "1" })
            .execute()
        : program.selectFrom("settings").selectAll().execute(),
    );
    await Promise.all(asked);
    expect(await program.selectFrom("settings").select("key").execute()).toHaveLength(20);
  });
});

function charge(db: WritableDb, accountId: string, callId: string) {
  const agreements = { enterprise: null, usgCents: 300 };
  const call = { callId, accountId, keyId: null, service: "usg", callType: "single", uuid: null, at } as const;
  return transaction(db, () => appendCharge(db, { ...call, measurementId: null, agreements }));
}

describe.runIf(hasPostgres)("searched_text in PostgreSQL", async () => {
  const database = hasPostgres ? await temporaryDatabase() : null;
  const db = database && (await openPostgresStore(database.url));
  afterAll(async () => {
    await db?.destroy();
    await database?.remove();
  });
  const inPostgres = async (texts: readonly string[]) => {
    const question = sql<{ searched: string }>`SELECT searched_text(text) AS searched
      FROM json_array_elements_text(cast(${JSON.stringify(texts)} AS json)) WITH ORDINALITY AS e (text, n) ORDER BY n`;
    return db === null ? [] : (await question.execute(db)).rows.map(({ searched }) => searched);
  };

  it("normalises names as the program does", async () => {
    const texts = [
      ...["Müller", "Mueller", "MÜLLER", "Mu\u0308ller", "Groß", "GROẞ", "Goethe", "Æsop", "Œuvre", "Łódź", "Ørsted"],
      ...[
        "Ångström",
        "façade",
        "naïve",
        "Ğöksel İnce",
        "ΣΊΣΥΦΟΣ",
        "Ёжик",
        "ﬃ",
        "①",
        "Ⅻ",
        "½",
        "か\u3099",
        "한국",
        "狗",
      ],
      ...["aee", "oœe", "Uße", "æe", "queue", "", " ", "a`b^c", "50 %_\\", "🐕‍🦺 Rex", "e\u0301\u0323", "ǅ", "ŉ", "ſt"],
    ];
    expect(await inPostgres(texts)).toEqual(texts.map(searchedText));
  });

  it("normalises every character of Unicode 14 up to U+A7CA as the program does", async () => {
    const youngerThanPostgres = 0x1c89;
    const characters = Array.from({ length: 0xa7ca }, (_, point) => String.fromCodePoint(point + 1))
      .filter((character) => character.codePointAt(0) !== youngerThanPostgres)
      .map((character) => `a${character}e`);
    expect(await inPostgres(characters)).toEqual(characters.map(searchedText));
  });
});
