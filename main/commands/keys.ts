import { parseArgs } from "node:util";
import { AppError } from "../../core/app-error.ts";
import { defaultDataDir } from "../program.ts";
import { createKey, defaultAccountName } from "../services/keys.ts";
import { findAccount } from "../store/accounts.ts";
import { listApiKeys, revokeApiKey, type ApiKey } from "../store/api-keys.ts";
import { openStore, type WritableDb } from "../store/database.ts";
import { runCommand, UsageError } from "./run-command.ts";

const usage = `keys create [--data-dir DIR] [--account NAME] [--name NAME]   prints a new key, once
keys list   [--data-dir DIR] [--account NAME]
keys revoke [--data-dir DIR] KEY_ID                            from the next call on`;

const options = { "data-dir": { type: "string" }, account: { type: "string" }, name: { type: "string" } } as const;

runCommand("keys", usage, (args, print) => {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [verb = "", keyId, ...rest] = positionals;
  if (rest.length > 0 || (keyId !== undefined) !== (verb === "revoke")) throw new UsageError(verb === "revoke" ? "revoke needs one KEY_ID" : "too many arguments");
  const db = openStore(values["data-dir"] ?? defaultDataDir(), { create: verb === "create", setAside: false });
  try {
    switch (verb) {
      case "create":
        return print(createKey(db, { accountName: accountName(values.account), name: values.name ?? "", at: new Date() }).key);
      case "list":
        return print(table(keysOf(db, values.account)));
      case "revoke":
        revokeApiKey(db, { keyId: keyId ?? "", at: new Date() });
        return;
      default:
        throw new UsageError(verb === "" ? "a verb is missing" : `unknown verb ${verb}`);
    }
  } finally {
    db.close();
  }
});

function accountName(given = defaultAccountName): string {
  const name = given.trim();
  if (name.length < 1 || name.length > 200) throw new UsageError("--account must have 1 to 200 characters");
  return name;
}

function keysOf(db: WritableDb, account: string | undefined): readonly ApiKey[] {
  if (account === undefined) return listApiKeys(db);
  const found = findAccount(db, account);
  if (!found) throw new AppError("ACCOUNT_NOT_FOUND", `There is no account ${account}.`);
  return listApiKeys(db).filter((key) => key.accountId === found.id);
}

/** Columns in line, so that a person can read them and `awk` can too: two spaces or more between columns. */
function table(keys: readonly ApiKey[]): string {
  const time = (ms: number | null) => (ms === null ? "-" : new Date(ms).toISOString());
  const rows = [
    ["ID", "ACCOUNT", "NAME", "CREATED", "LAST USED", "REVOKED"],
    ...keys.map((key) => [key.id, key.accountName, key.name || "-", time(key.createdAtMs), time(key.lastUsedAtMs), time(key.revokedAtMs)]),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd()).join("\n");
}
