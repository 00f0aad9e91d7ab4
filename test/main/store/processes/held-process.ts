/** Adds an account to the store of a data directory, prints "added" and keeps the store open until it is killed. */
import { writeSync } from "node:fs";
import { ensureAccount } from "../../../../main/store/people/accounts.ts";
import { openStore } from "../../../../main/store/database.ts";

const [dataDir = "", name = ""] = process.argv.slice(2);
await ensureAccount(await openStore(dataDir), { name, at: new Date() });
writeSync(1, "added\n");
setInterval(() => undefined, 60_000);
