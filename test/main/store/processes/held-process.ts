/** Adds an account to stores, prints "added" and holds them until killed. Arguments: account's name, directories. */
import { writeSync } from "node:fs";
import { ensureAccount } from "../../../../main/store/people/accounts.ts";
import { openStore } from "../../../../main/store/database.ts";

const [name = "", ...dataDirs] = process.argv.slice(2);
for (const dataDir of dataDirs) await ensureAccount(await openStore(dataDir), { name, at: new Date() });
writeSync(1, "added\n");
setInterval(() => undefined, 60_000);
