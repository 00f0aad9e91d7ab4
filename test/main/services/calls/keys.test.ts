import { describe, expect, it } from "vitest";
import { createKey } from "../../../../main/services/calls/keys.ts";
import { defaultAccountName } from "../../../../main/store/people/accounts.ts";
import { listAccounts } from "../../../../main/store/people/accounts.ts";
import { listApiKeys } from "../../../../main/store/people/api-keys.ts";
import { engineOf } from "../../../../main/store/engines/engine.ts";
import { rawly } from "../../../fixtures/raw-store.ts";
import { openStoreForFile } from "../../../fixtures/use-store.ts";

const { db } = await openStoreForFile();
const create = (accountName: string, name = "") =>
  createKey(db, { accountName, name, at: new Date("2026-11-10T08:00:00Z") });

describe("a new key", () => {
  it("consists of corvet_ and 32 random bytes, and is stored as SHA-256 only", async () => {
    const { key, keyId } = await create(defaultAccountName);
    expect(key).toMatch(/^corvet_[A-Za-z0-9_-]{43}$/);
    expect((await create(defaultAccountName)).key).not.toBe(key);
    const stored = JSON.stringify(await rawly(db, "SELECT * FROM api_keys"));
    const bytes = engineOf(db).file?.serialize().toString("latin1") ?? stored;
    expect([bytes.includes(key), bytes.includes(key.slice("corvet_".length)), stored.includes(keyId)]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it("leaves neither key nor account if its creation fails", async () => {
    await expect(create("Unlucky", "x".repeat(201))).rejects.toThrow(/check/i);
    expect([
      (await listAccounts(db)).some(({ name }) => name === "Unlucky"),
      (await listApiKeys(db)).some(({ accountName }) => accountName === "Unlucky"),
    ]).toEqual([false, false]);
  });
});
