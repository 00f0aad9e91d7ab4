import { describe, expect, it } from "vitest";
import { hasPostgres } from "../fixtures/postgres/programs.ts";
import { clusterFaultsOf, runCluster, type ClusterReport } from "./cluster-run.ts";
import { smallFilm } from "./small-film.ts";

describe.runIf(hasPostgres)("four programs on one database", () => {
  it("lose no charge and make none twice while 32 clients ask, programs are killed and the database goes away", async () => {
    const report = await runCluster({ nodes: 4, clients: 32, answersBetween: 300, image: await smallFilm() });
    expect(clusterFaultsOf(report)).toEqual([]);
    expect(report).toMatchObject({ kills: 3, databaseRestarts: 1, databaseCrashes: 1 });
    // Each client waits for two answers at most from a program that is killed.
    expect(report.forgiven).toBeLessThanOrEqual(3 * 2 * 32);
  });

  it("name each broken rule", () => {
    const kept: ClusterReport = {
      ...{
        nodes: 4,
        clients: 32,
        seconds: 60,
        answers: 900,
        patients: 400,
        billingErrors: 3,
        refused: { 0: 5, 500: 1 },
      },
      ...{ kills: 3, databaseRestarts: 1, databaseCrashes: 1, medianMs: 100, slowestMs: 900 },
      ...{
        charges: 400,
        takenBack: 4,
        forgiven: 2,
        lost: 0,
        double: 0,
        surplus: 0,
        misnumbered: 0,
        isChainIntact: true,
      },
    };
    expect(clusterFaultsOf(kept)).toEqual([]);
    const broken: Partial<ClusterReport>[] = [
      { lost: 1 },
      { double: 1 },
      { surplus: 1 },
      { misnumbered: 1 },
      { isChainIntact: false },
      { refused: { 400: 1 } },
    ];
    expect(broken.map((change) => clusterFaultsOf({ ...kept, ...change }).length)).toEqual(broken.map(() => 1));
  });
});
