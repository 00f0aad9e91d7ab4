/** Performs all kinds of writes and prints the acts that succeeded. Arguments: data directory, recovery key. */
import crypto, { createHash } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { recordBillableMeasurement } from "../main/store/record-billable-measurement.ts";
import { saveFilmFile } from "../../main/services/desktop/film-files.ts";
import { convertFiles } from "../../main/services/program/encryption/convert-files.ts";
import { planEncryption } from "../../main/services/program/encryption/encryption.ts";
import { recordAudit } from "../../main/store/audit/audit-events.ts";
import { makeBackup } from "../../main/store/backups/backups.ts";
import { openStore } from "../../main/store/database.ts";
import { nameOfImage } from "../../main/store/film-images/film-images.ts";
import { ensureAccount } from "../../main/store/people/accounts.ts";

const [dataDir = "", recoveryKey = ""] = process.argv.slice(2);

async function attempt(act: string, work: () => Promise<unknown>): Promise<void> {
  try {
    if ((await work()) !== false) console.log(act);
  } catch (error) {
    console.log(`failed ${act}: ${String(error)}`);
  }
}

// Give temporary files the same names in every run, so that strace can select them.
let named = 0;
crypto.randomUUID = () => `00000000-0000-4000-8000-${String((named += 1)).padStart(12, "0")}`;
syncBuiltinESMExports();
const backupAt = new Date("2026-01-02T03:04:05Z");

/** Simulates two starts of the program; the second one performs the conversion planned in the first. */
for (const start of ["first", "second"])
  await attempt(`${start} start`, async () => {
    await using db = await openStore(dataDir);
    const at = new Date();
    await attempt("charge", async () => {
      const accountId = (await ensureAccount(db, { name: "Clinic", at })).id;
      return (await recordBillableMeasurement(db, { accountId, at }, () => undefined)).billable;
    });
    await attempt("event", () => recordAudit(db, { action: "pack.imported", at }));
    await attempt(`film ${start}`, async () => {
      const sha256 = createHash("sha256").update(start).digest("hex");
      await saveFilmFile(dataDir, nameOfImage(sha256, "original", 0), Buffer.from(start));
    });
    if (start === "first") await attempt("backup", () => makeBackup(db, dataDir, backupAt));
    if (start === "first") await attempt("plan", () => planEncryption(db, dataDir, true, recoveryKey));
    else await attempt("conversion", () => convertFiles(dataDir));
  });
