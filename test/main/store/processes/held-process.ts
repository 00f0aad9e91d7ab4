/**
 * Adds an account to the stores of several data directories, prints "added" and keeps the stores open until it is
 * killed. Arguments: the account's name and the directories.
 */
import { writeSync } from "node:fs";
import { ensureAccount } from "../../../../main/store/people/accounts.ts";
import { openStore } from "../../../../main/store/database.ts";

const [name = "", ...dataDirs] = process.argv.slice(2);
for (const dataDir of dataDirs) await ensureAccount(await openStore(dataDir), { name, at: new Date() });
writeSync(1, "added\n");
setInterval(() => undefined, 60_000);
