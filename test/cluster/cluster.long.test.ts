import { describe, expect, it } from "vitest";
import { hasPostgres } from "../fixtures/postgres/programs.ts";
import { clusterFaultsOf, runCluster } from "./cluster-run.ts";
import { smallFilm } from "./small-film.ts";

describe.runIf(hasPostgres)("four programs on one database", () => {
  it("charge each call of 32 clients once while programs are killed and the database fails", async () => {
    const report = await runCluster({ nodes: 4, clients: 32, answersBetween: 300, image: await smallFilm() });
    expect(clusterFaultsOf(report)).toEqual([]);
    // Three programs are killed, and each client waits for at most two responses of one.
    expect(report.forgiven).toBeLessThanOrEqual(3 * 2 * 32);
  });
});
