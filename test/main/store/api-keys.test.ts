import { afterAll, describe, expect, it } from "vitest";
import { createKey } from "../../../main/services/calls/keys.ts";
import {
  agreeEnterpriseRates,
  authenticateKey,
  getEnterpriseRates,
  listApiKeys,
  renameApiKey,
  revokeApiKey,
} from "../../../main/store/api-keys.ts";
import { openStore } from "../../../main/store/database.ts";
import { temporaryStore } from "./sample-store.ts";

const store = temporaryStore();
const { db } = store;
afterAll(() => store.remove());
const at = (text: string) => new Date(`2026-11-10T${text}Z`);
const create = (accountName: string, name = "") => createKey(db, { accountName, name, at: at("08:00:00") });
const stored = (keyId: string) => listApiKeys(db).find((key) => key.id === keyId);

describe("an API key", () => {
  it("names its caller", () => {
    const { key, keyId, accountId } = create("Clinic");
    expect(authenticateKey(db, key)).toEqual({ keyId, accountId });
  });

  it("missing, empty, unknown, shortened, lengthened or in another case is nobody's", () => {
    const { key } = create("Clinic");
    const wrong = [
      undefined,
      null,
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
    expect(wrong.map((presented) => authenticateKey(db, presented))).toEqual(wrong.map(() => null));
  });

  it("stops at the very next call once revoked, also by another process's connection", () => {
    const { key, keyId } = create("Clinic");
    expect(authenticateKey(db, key)).not.toBeNull();
    const command = openStore(store.dataDir, { setAside: false });
    expect(revokeApiKey(command, { keyId, at: at("09:00:00") })).toBe(at("09:00:00").getTime());
    command.close();
    expect(authenticateKey(db, key)).toBeNull();
    expect(revokeApiKey(db, { keyId, at: at("10:00:00") })).toBe(at("09:00:00").getTime());
  });

  it("records its last use, at most once a minute and never backwards", () => {
    const { key, keyId } = create("Clinic");
    const lastUse = (time: string) => {
      authenticateKey(db, key, at(time));
      return new Date(stored(keyId)?.lastUsedAtMs ?? 0).toISOString().slice(11, 19);
    };
    expect(stored(keyId)?.lastUsedAtMs).toBeNull();
    expect(["09:00:00", "09:00:59", "09:01:00", "08:00:00"].map(lastUse)).toEqual([
      "09:00:00",
      "09:00:00",
      "09:01:00",
      "09:01:00",
    ]);
  });

  it("is accepted even when its last use cannot be written", () => {
    const { key } = create("Clinic");
    db.pragma("query_only = ON");
    expect(authenticateKey(db, key)).not.toBeNull();
    db.pragma("query_only = OFF");
  });

  it("can be renamed and given rates, all of which the list shows without the key", () => {
    const { keyId, accountId } = create("Practice", "reception");
    renameApiKey(db, { keyId, name: "X-ray room" });
    expect(stored(keyId)).toEqual({
      id: keyId,
      accountId,
      accountName: "Practice",
      name: "X-ray room",
      createdAtMs: at("08:00:00").getTime(),
      lastUsedAtMs: null,
      revokedAtMs: null,
    });
    expect(getEnterpriseRates(db, keyId)).toBeNull();
    agreeEnterpriseRates(db, { keyId, rates: { single: 120, session: 0 } });
    expect(getEnterpriseRates(db, keyId)).toEqual({ single: 120, session: 0 });
    agreeEnterpriseRates(db, { keyId, rates: null });
    expect([getEnterpriseRates(db, keyId), getEnterpriseRates(db, null)]).toEqual([null, null]);
  });

  it.each([
    ["revoke", () => revokeApiKey(db, { keyId: "nobody", at: new Date() })],
    ["rename", () => renameApiKey(db, { keyId: "nobody", name: "x" })],
    ["agree rates for", () => agreeEnterpriseRates(db, { keyId: "nobody", rates: null })],
  ])("that does not exist is not one to %s", (_verb, act) =>
    expect(act).toThrow(expect.objectContaining({ code: "KEY_NOT_FOUND" })),
  );

  it("is not given a negative rate", () => {
    const { keyId } = create("Practice");
    expect(() => agreeEnterpriseRates(db, { keyId, rates: { single: -1, session: 1 } })).toThrow("CHECK");
  });
});
