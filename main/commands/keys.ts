import { parseArgs } from "node:util";
import { AppError } from "../../core/app-error.ts";
import { dollarsOfCents } from "../../core/billing/dollars.ts";
import { noteSecurity } from "../log.ts";
import { defaultDataDir } from "../program.ts";
import { faultOfIdentifier } from "../../core/identifiers.ts";
import { createKey, defaultAccountName } from "../services/calls/keys.ts";
import { findAccount } from "../store/people/accounts.ts";
import { agreeEnterpriseRates, getEnterpriseRates, listApiKeys, revokeApiKey, type ApiKey } from "../store/api-keys.ts";
import type { WritableDb } from "../store/database.ts";
import { openStoreOf } from "../services/program/store-place.ts";
import { asOperatingSystemUser } from "./running/acting-command.ts";
import { readAmount } from "./output/amount.ts";
import { runCommand, UsageError } from "./running/run-command.ts";
import { textTable } from "./output/text-table.ts";

const usage = `keys create [--data-dir DIR] [--account NAME] [--name NAME]   prints a new key, once
keys list   [--data-dir DIR] [--account NAME]                 ENTERPRISE: dollars per single call/session
keys revoke [--data-dir DIR] KEY_ID                            from the next call on
                                                              (on a machine cut off from the database: within an hour)
keys rate   [--data-dir DIR] KEY_ID --single 1.80 --session 2.70   agreed dollars per call in the enterprise tier
keys rate   [--data-dir DIR] KEY_ID --none                     back to the professional rates`;

const options = {
  "data-dir": { type: "string" },
  account: { type: "string" },
  name: { type: "string" },
  single: { type: "string" },
  session: { type: "string" },
  none: { type: "boolean" },
} as const;

type Given = {
  readonly account?: string;
  readonly name?: string;
  readonly single?: string;
  readonly session?: string;
  readonly none?: boolean;
};

/** Writes to the security log. */
type Note = (entry: Parameters<typeof noteSecurity>[1]) => void;

/** What each verb prints, null for nothing; those of `keyVerbs` take a KEY_ID. */
const verbs = new Map<string, (db: WritableDb, given: Given, keyId: string, note: Note) => Promise<string | null>>([
  [
    "create",
    async (db, { account, name = "" }, _keyId, note) => {
      const created = await createKey(db, { accountName: accountName(account), name, at: new Date() });
      note({ security: "key.created", keyId: created.keyId });
      return created.key;
    },
  ],
  ["list", async (db, { account }) => tableOf(db, await keysOf(db, account))],
  [
    "revoke",
    async (db, _given, keyId, note) => {
      await revokeApiKey(db, { keyId, at: new Date() });
      note({ security: "key.revoked", keyId });
      return null;
    },
  ],
  [
    "rate",
    async (db, given, keyId) => {
      await agreeEnterpriseRates(db, { keyId, rates: ratesOf(given) });
      return null;
    },
  ],
]);
const keyVerbs = ["revoke", "rate"];

runCommand("keys", usage, async (args, print) => {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [verb = "", keyId, ...rest] = positionals;
  const act = verbs.get(verb);
  if (act === undefined) throw new UsageError(verb === "" ? "a verb is missing" : `unknown verb ${verb}`);
  if (rest.length > 0 || (keyId !== undefined) !== keyVerbs.includes(verb))
    throw new UsageError(keyVerbs.includes(verb) ? `${verb} needs one KEY_ID` : "too many arguments");
  const dataDir = values["data-dir"] ?? defaultDataDir();
  const db = await openStoreOf(dataDir, { create: verb === "create", setAside: false });
  try {
    const answer = await asOperatingSystemUser(() =>
      act(db, values, keyId ?? "", (entry) => noteSecurity(dataDir, entry)),
    );
    if (answer !== null) print(answer);
  } finally {
    await db.destroy();
  }
});

function ratesOf({ single, session, none }: Given) {
  if (!none) return { single: readAmount(single, "--single"), session: readAmount(session, "--session") };
  if (single !== undefined || session !== undefined) throw new UsageError("--none goes without --single and --session");
  return null;
}

function accountName(given = defaultAccountName): string {
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
