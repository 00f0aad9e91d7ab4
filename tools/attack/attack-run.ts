import { fuzzFaultsOf, runFuzz } from "../fuzz/fuzz-run.ts";
import { makeDataDir, startOwnService } from "../own-service.ts";
import { attackByArchives } from "./hostile-archives.ts";
import { isRunning, type AttackTally, type AttackTarget } from "./attack-tally.ts";
import { attackByFaults } from "./faults.ts";
import { attackByImages } from "./heavy-images.ts";
import { attackRawHttp } from "./raw-http.ts";

/**
 * Attacks a service of its own in every way that is known here.
 *
 * @param isShort  raw HTTP, few bodies and archives and the heaviest pictures alone: for the tests
 */
export async function runAttacks(isShort: boolean, seed = 20_261): Promise<readonly AttackTally[]> {
  const own = await makeDataDir("attack");
  const service = await startOwnService(own.dataDir);
  const target = { service, key: own.key, dataDir: own.dataDir, isShort };
  try {
    const tallies = [
      await attackRawHttp(target),
      ...(await attackByImages(target)),
      await attackByBodies(target, seed),
    ];
    const faults = isShort ? [] : await attackByFaults();
    return [...tallies, await attackByArchives(isShort), ...faults];
  } finally {
    await service.stop();
    own.remove();
  }
}

async function attackByBodies({ service, key, isShort }: AttackTarget, seed: number): Promise<AttackTally> {
  const report = await runFuzz(service, key, seed, isShort ? 100 : 5000);
  const counts = Object.values(report.statuses).flatMap((byStatus) => Object.entries(byStatus));
  const refused = counts.reduce((sum, [status, count]) => sum + (Number(status) >= 400 ? count : 0), 0);
  const faults = fuzzFaultsOf(report);
  const crashed = faults.length + (isRunning(service) ? 0 : 1);
  return {
    kind: "JSON bodies",
    tried: report.requests,
    refused,
    crashed,
    lost: 0,
    note: faults.slice(0, 3).join("; "),
  };
}
