import { describe, expect, it } from "vitest";
import { createKey } from "../../../../main/services/calls/keys.ts";
import {
  setEnterpriseRates,
  authenticateKey,
  getEnterpriseRates,
  listApiKeys,
  renameApiKey,
  revokeApiKey,
} from "../../../../main/store/people/api-keys.ts";
import { listAuditEvents } from "../../../../main/store/audit/audit-events.ts";
import { openStore } from "../../../../main/store/database.ts";
import { isOnPostgres, rawly } from "../../../fixtures/raw-store.ts";
import { openStoreForFile } from "../../../fixtures/use-store.ts";

const store = await openStoreForFile();
const { db } = store;
const at = (text: string) => new Date(`2026-11-10T${text}Z`);
const create = (accountName: string, name = "") => createKey(db, { accountName, name, at: at("08:00:00") });
const stored = async (keyId: string) => (await listApiKeys(db)).find((key) => key.id === keyId);

describe("an API key", () => {
  it("authenticates its caller", async () => {
    const { key, keyId, accountId } = await create("Clinic");
    expect(await authenticateKey(db, key, at("08:00:00"))).toEqual({ keyId, accountId });
  });

  it("is rejected if empty, unknown, shortened, lengthened or in another case", async () => {
    const { key } = await create("Clinic");
    const wrong = [
      "",
      "corvet_",
      key.slice(0, -1),
      `${key}x`,
      ` ${key}`,
      key.toUpperCase(),
      "'; DROP TABLE api_keys; --",
      "\0",
      "x".repeat(100_000),
    ];
    expect(await Promise.all(wrong.map((presented) => authenticateKey(db, presented, at("08:00:00"))))).toEqual(
      wrong.map(() => null),
    );
  });

  it("is rejected from the next call on after its revocation, also through another connection", async () => {
    const { key, keyId } = await create("Clinic");
    expect(await authenticateKey(db, key, at("08:00:00"))).not.toBeNull();
    const command = await openStore(store.dataDir, { setAside: false });
    const revokedAtMs = at("09:00:00").getTime();
    expect(await revokeApiKey(command, { keyId, at: at("09:00:00") })).toEqual({ revokedAtMs, isNew: true });
    await command.destroy();
    expect(await authenticateKey(db, key, at("08:00:00"))).toBeNull();
    expect(await revokeApiKey(db, { keyId, at: at("10:00:00") })).toEqual({ revokedAtMs, isNew: false });
  });

  it("records its last use, at most once a minute and never backwards", async () => {
    const { key, keyId } = await create("Clinic");
    const lastUse = async (time: string) => {
      await authenticateKey(db, key, at(time));
      return new Date((await stored(keyId))?.lastUsedAtMs ?? 0).toISOString().slice(11, 19);
    };
    expect((await stored(keyId))?.lastUsedAtMs).toBeNull();
    const uses: string[] = [];
    for (const time of ["09:00:00", "09:00:59", "09:01:00", "08:00:00"]) uses.push(await lastUse(time));
    expect(uses).toEqual(["09:00:00", "09:00:00", "09:01:00", "09:01:00"]);
  });

  it("is accepted even if its last use cannot be written", async () => {
    const { key } = await create("Clinic");
    await rawly(
      db,
      isOnPostgres
        ? "ALTER TABLE api_keys ADD CONSTRAINT never_used CHECK (last_used_at_ms IS NULL) NOT VALID"
        : "PRAGMA query_only = ON",
    );
    expect(await authenticateKey(db, key, at("08:00:00"))).not.toBeNull();
    await rawly(db, isOnPostgres ? "ALTER TABLE api_keys DROP CONSTRAINT never_used" : "PRAGMA query_only = OFF");
  });

  it("can be renamed and given rates, and is listed without its secret", async () => {
    const { keyId, accountId } = await create("Practice", "reception");
    await renameApiKey(db, { keyId, name: "X-ray room" });
    expect(await stored(keyId)).toEqual({
      id: keyId,
      accountId,
      accountName: "Practice",
      name: "X-ray room",
      createdAtMs: at("08:00:00").getTime(),
      lastUsedAtMs: null,
      revokedAtMs: null,
    });
    expect(await getEnterpriseRates(db, keyId)).toBeNull();
    await setEnterpriseRates(db, { keyId, rates: { single: 120, session: 0 } });
    expect(await getEnterpriseRates(db, keyId)).toEqual({ single: 120, session: 0 });
    await setEnterpriseRates(db, { keyId, rates: null });
    expect([await getEnterpriseRates(db, keyId), await getEnterpriseRates(db, null)]).toEqual([null, null]);
  });

  it("records no audit event for a repeated change", async () => {
    const { keyId } = await create("Practice", "reception");
    for (const time of ["09:00:00", "10:00:00"]) {
      await renameApiKey(db, { keyId, name: "X-ray room" });
      await setEnterpriseRates(db, { keyId, rates: { single: 120, session: 0 } });
      await revokeApiKey(db, { keyId, at: at(time) });
    }
    const { rows } = await listAuditEvents(db, { limit: 100, offset: 0 });
    const actions = rows.filter(({ subject }) => subject === keyId).map(({ action }) => action);
    expect(actions.toSorted()).toEqual(["key.created", "key.rated", "key.renamed", "key.revoked"]);
  });

  it.each([
    ["revoked", () => revokeApiKey(db, { keyId: "nobody", at: new Date() })],
    ["renamed", () => renameApiKey(db, { keyId: "nobody", name: "x" })],
    ["given rates", () => setEnterpriseRates(db, { keyId: "nobody", rates: null })],
  ])("cannot be %s if it does not exist", (_verb, act) =>
    expect(act()).rejects.toThrow(expect.objectContaining({ code: "KEY_NOT_FOUND" })),
  );

  it("cannot be given a negative rate", async () => {
    const { keyId } = await create("Practice");
    await expect(setEnterpriseRates(db, { keyId, rates: { single: -1, session: 1 } })).rejects.toThrow(/check/i);
  });
});
