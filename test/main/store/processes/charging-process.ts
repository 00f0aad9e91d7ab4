/**
 * Program that charges calls as fast as it can, and acknowledges each on stdout once it is committed. Arguments: data
 * directory, account, number of calls, and optionally "together": it then reads the UTC time of the first call [ms]
 * from stdin, and all processes charge the same patients at the same times.
 */
import { readFileSync, writeSync } from "node:fs";
import { recordBillableMeasurement } from "../record-billable-measurement.ts";
import { openStoreOf } from "../../../../main/services/program/store-location.ts";
import { measured } from "../sample-store.ts";

const [dataDir = "", accountId = "", calls = "0", together] = process.argv.slice(2);
const betweenMs = 20;
const db = await openStoreOf(dataDir);
if (together) writeSync(1, "ready\n");
const startAtMs = together ? Number(readFileSync(0, "utf8")) : 0;
for (let call = 0; call < Number(calls); call += 1) {
  const callId = `${process.pid} ${call}`;
  // Busy-wait instead of using a timer, so that all processes continue within the same millisecond.
  while (startAtMs && Date.now() < startAtMs + call * betweenMs);
  const uuid = startAtMs ? `patient ${call}` : callId;
  // Screenings begin with a read, measurements with a write; test both against another process.
  const kind =
    startAtMs && call % 2 === 1
      ? ({ service: "usg", measurements: [] } as const)
      : ({ service: "cardiac", measurements: [measured, measured] } as const);
  const { reason } = await recordBillableMeasurement(db, { accountId, callId, uuid, ...kind });
  writeSync(1, `${reason},${callId}\n`);
}
await db.destroy();
