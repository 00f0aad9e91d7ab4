import { setTimeout as wait } from "node:timers/promises";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startOwnService, type OwnService } from "../../../../tools/own-service.ts";
import { createKey } from "../../../../main/services/calls/keys.ts";
import { openStore } from "../../../../main/store/database.ts";
import { iterateLedger } from "../../../../main/store/ledger/ledger-reports.ts";
import { verifyLedger } from "../../../fixtures/verify-ledger.ts";
import { temporaryDataDir } from "../../store/sample-store.ts";
import { makeLeanPacks } from "./lean-packs.ts";
import { fixtureImage } from "./sample-images.ts";

const clients = 4;

let folder: ReturnType<typeof temporaryDataDir>;
let packsDir: string;
let key: string;
let image: string;
let calls = 0;
let running: OwnService | null = null;
/** Patients (one per call) whose complete response stated a charge. */
const answered = new Set<string>();
const asked = new Set<string>();
/** Each client's last answered call before a kill. */
const lastAnswered = new Set<string>();

async function askUntilKilled(program: OwnService, isOver: () => boolean): Promise<void> {
  let last = "none";
  while (!isOver()) {
    const uuid = `call-${calls++}`;
    asked.add(uuid);
    try {
      const { status, text } = await program.post(key, "/v3/predict", { image, uuid });
      if (status !== 200 || !(JSON.parse(text) as { billing: { billable: boolean } }).billing.billable) continue;
      answered.add((last = uuid));
    } catch {
      break;
    }
  }
  lastAnswered.add(last);
}

/** Reads the ledger while the program runs. */
async function readLedger() {
  await using db = await openStore(folder.dataDir, { create: false, setAside: false });
  const events = await Array.fromAsync(iterateLedger(db));
  const reversed = new Set(events.map(({ reverses }) => reverses));
  const charges = events.filter(({ kind }) => kind === "charge");
  return {
    verdict: await verifyLedger(db),
    charges,
    standing: charges.filter(({ seq }) => !reversed.has(seq)).map(({ uuid }) => String(uuid)),
  };
}

/** Kills the service while clients call it, perhaps also before the first response, and checks the ledger. */
export function describeKills(kills: number): void {
  describe(`killed under load, in ${kills + 1} rounds`, () => {
    beforeAll(async () => {
      folder = temporaryDataDir();
      packsDir = makeLeanPacks(folder.dataDir);
      const film = Buffer.from(fixtureImage("films/dog-01.jpg"), "base64");
      image = (await sharp(film).resize({ width: 700 }).jpeg().toBuffer()).toString("base64");
      const db = await openStore(folder.dataDir);
      ({ key } = await createKey(db, { accountName: "Clinic", name: "kill", at: new Date() }));
      await db.destroy();
    });
    afterAll(async () => {
      await running?.stop("SIGKILL");
      folder.remove();
    });
    it("has every answered call in the ledger once, an intact chain and no charge for an unanswered call", async () => {
      for (let kill = 0; kill <= kills; kill += 1) {
        const program = (running = await startOwnService(folder.dataDir, { packsDir }));
        const { verdict, charges, standing } = await readLedger();
        expect(verdict).toMatchObject({ isIntact: true });
        const chargedOnce = new Map<string, number>();
        for (const { uuid } of charges) chargedOnce.set(String(uuid), (chargedOnce.get(String(uuid)) ?? 0) + 1);
        expect(
          [...answered].filter((uuid) => chargedOnce.get(uuid) !== 1),
          "answered but not in the ledger once",
        ).toEqual([]);
        expect(
          standing.filter((uuid) => !answered.has(uuid)),
          "billed without an answer",
        ).toEqual([]);
        expect(new Set(standing).size, "billed twice").toBe(standing.length);
        let isKilled = false;
        const asking = Array.from({ length: clients }, () => askUntilKilled(program, () => isKilled));
        // Enough responses that one client has received at least two, then a random moment.
        const enough = answered.size + (kill === kills ? 0 : clients + 1 + Math.floor(Math.random() * 4));
        while (answered.size < enough) await wait(2);
        await wait(Math.random() * 150);
        isKilled = true;
        await program.stop("SIGKILL");
        await Promise.all(asking);
      }
      const { standing } = await readLedger();
      // If the program is killed between passing a response to the network and recording its delivery, the charge is
      // waived. A delivery is recorded before the client's next response, so only a client's last charge can be waived.
      const forgiven = [...answered].filter((uuid) => !standing.includes(uuid));
      expect(forgiven.filter((uuid) => !lastAnswered.has(uuid))).toEqual([]);
      expect(answered.size).toBeGreaterThan(kills * clients);
    });
  });
}
