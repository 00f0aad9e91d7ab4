import { describe, expect, it } from "vitest";
import { hasPostgres } from "../fixtures/postgres/programs.ts";
import { clusterFaultsOf, runCluster } from "./cluster-run.ts";
import { smallFilm } from "./small-film.ts";

describe.runIf(hasPostgres)("four programs on one database", () => {
  it("lose no charge and make none twice while 32 clients ask, programs are killed and the database goes away", async () => {
    const report = await runCluster({ nodes: 4, clients: 32, answersBetween: 300, image: await smallFilm() });
    expect(clusterFaultsOf(report)).toEqual([]);
    expect(report).toMatchObject({ kills: 3, databaseRestarts: 1, databaseCrashes: 1 });
    // Each client waits for two answers at most from a program that is killed.
    expect(report.forgiven).toBeLessThanOrEqual(3 * 2 * 32);
  });
});
