import { Command } from "commander";
import { AppError } from "../../core/app-error.ts";
import { dollarsOfCents } from "../../core/billing/dollars.ts";
import { noteSecurity } from "../log.ts";
import { faultOfIdentifier } from "../../core/identifiers.ts";
import { createKey, type CreatedKey } from "../services/calls/keys.ts";
import { defaultAccountName, findAccount } from "../store/people/accounts.ts";
import {
  setEnterpriseRates,
  getEnterpriseRates,
  listApiKeys,
  revokeApiKey,
  type ApiKey,
} from "../store/people/api-keys.ts";
import type { WritableDb } from "../store/database.ts";
import { dataDirOption, dollars, withoutControls } from "./running/options.ts";
import { print, printSecret, UsageError } from "./running/run-program.ts";
import { withStore } from "./running/with-store.ts";
import { textTable } from "./output/text-table.ts";

type Given = { readonly dataDir: string };
type GivenRates = Given & { readonly single?: number; readonly session?: number; readonly none?: boolean };

export function keysCommand(): Command {
  const keys = new Command("keys").description("API keys; each belongs to one account");
  const command = (usage: string, description: string) =>
    keys.command(usage).description(description).addOption(dataDirOption());
  command("create", "create a key and print it; it is not shown again")
    .option("--account <name>", "account of the key", accountName, defaultAccountName)
    .option("--name <name>", "name of the key", withoutControls, "")
    .action(async ({ dataDir, account, name }: Given & { readonly account: string; readonly name: string }) => {
      const { keyId } = await withStore(
        dataDir,
        async (db) => {
          const created = await createKey(db, { accountName: account, name, at: new Date() });
          await showOrRevoke(db, created);
          return created;
        },
        { create: true },
      );
      noteSecurity(dataDir, { security: "key.created", keyId });
    });
  command("list", "keys with their accounts; ENTERPRISE: dollars per single call and per session")
    .option("--account <name>", "only keys of this account")
    .action(async ({ dataDir, account }: Given & { readonly account?: string }) =>
      print(await withStore(dataDir, async (db) => tableOf(db, await keysOf(db, account)))),
    );
  command("revoke <key-id>", "revoke a key from the next call on (within an hour while the database is away)").action(
    async (keyId: string, { dataDir }: Given) => {
      const { isNew } = await withStore(dataDir, (db) => revokeApiKey(db, { keyId, at: new Date() }));
      if (isNew) noteSecurity(dataDir, { security: "key.revoked", keyId });
    },
  );
  command("rate <key-id>", "set the agreed dollars per call in the enterprise tier")
    .option("--single <dollars>", "per single call", dollars)
    .option("--session <dollars>", "per batch, stream or capture session", dollars)
    .option("--none", "back to the professional rates")
    .action((keyId: string, given: GivenRates) =>
      withStore(given.dataDir, (db) => setEnterpriseRates(db, { keyId, rates: ratesOf(given) })),
    );
  return keys;
}

async function showOrRevoke(db: WritableDb, { keyId, key }: CreatedKey): Promise<void> {
  try {
    printSecret(key);
  } catch (cause) {
    await revokeApiKey(db, { keyId, at: new Date() });
    throw new AppError("NOT_AVAILABLE", "The new key could not be printed and is revoked.", { cause });
  }
}

function ratesOf({ single, session, none }: GivenRates) {
  if (none && (single !== undefined || session !== undefined))
    throw new UsageError("--none excludes --single and --session");
  if (none) return null;
  if (single === undefined || session === undefined) throw new UsageError("--single and --session, or --none");
  return { single, session };
}

function accountName(given: string): string {
  const name = given.trim();
  const fault = faultOfIdentifier(name);
  if (fault !== null) throw new UsageError(`--account ${fault}`);
  return name;
}

async function keysOf(db: WritableDb, account: string | undefined): Promise<readonly ApiKey[]> {
  if (account === undefined) return listApiKeys(db);
  const found = await findAccount(db, account);
  if (!found) throw new AppError("ACCOUNT_NOT_FOUND", `There is no account ${account}.`);
  return (await listApiKeys(db)).filter((key) => key.accountId === found.id);
}

async function tableOf(db: WritableDb, keys: readonly ApiKey[]): Promise<string> {
  const time = (ms: number | null) => (ms === null ? "-" : new Date(ms).toISOString());
  return textTable([
    ["ID", "ACCOUNT", "NAME", "CREATED", "LAST USED", "REVOKED", "ENTERPRISE"],
    ...(await Promise.all(
      keys.map(async (key) => [
        key.id,
        key.accountName,
        key.name || "-",
        time(key.createdAtMs),
        time(key.lastUsedAtMs),
        time(key.revokedAtMs),
        await agreed(db, key.id),
      ]),
    )),
  ]);
}

async function agreed(db: WritableDb, keyId: string): Promise<string> {
  const rates = await getEnterpriseRates(db, keyId);
  return rates === null ? "-" : `${dollarsOfCents(rates.single)}/${dollarsOfCents(rates.session)}`;
}
