import { afterAll, describe, expect, test } from "vitest";
import { startCluster, type Cluster } from "../../fixtures/postgres/cluster.ts";
import { hasPostgres } from "../../fixtures/postgres/programs.ts";
import { urlOf } from "../../fixtures/postgres/temporary-database.ts";
import { axeFaults, openFilms, openRow } from "../actions.ts";
import { startJourney } from "../journey.ts";
import { openProgram } from "../open-program.ts";
import { ask, phantom } from "../program.ts";

describe.runIf(hasPostgres)("a practice whose database becomes unreachable and reachable again", () => {
  let cluster: Cluster;
  // Runs after the hook of the journey, which closes the program.
  afterAll(() => cluster?.remove());
  const { window } = startJourney(undefined, async () => {
    cluster = await startCluster();
    return await openProgram({ database: urlOf(cluster.folder, "postgres") });
  });

  const names = async () => (await ask(window().page, "films.list", {})).films.map(({ fileName }) => fileName).sort();
  const nothingIsSaved = () => window().page.getByText("Changes are not being saved.");

  test("keeps unsaved findings on the page, and opens and measures films without saving them", async () => {
    const { page } = window();
    await openFilms(page, [phantom("dog-01.jpg")]);
    await openRow(page, "dog-01.jpg");
    await page.getByTestId("vhs").waitFor();
    await page.getByLabel("Findings").fill("Half of a");
    await cluster.stop("at once");
    await page.getByText(/The practice’s database is not responding/).waitFor();
    await page.getByText("Not saved yet.").waitFor();
    expect([await nothingIsSaved().isVisible(), await page.getByLabel("Findings").inputValue()]).toEqual([
      false,
      "Half of a",
    ]);
    await page.getByRole("button", { name: "Discard and continue" }).click();
    await nothingIsSaved().waitFor();
    expect(await names()).toEqual([]);
    await openFilms(page, [phantom("dog-03.jpg")]);
    await openRow(page, "dog-03.jpg");
    await page.getByTestId("vhs").waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByLabel("Findings").fill("Enlarged");
    await page.getByLabel("Signed by").fill("Dr Weber");
    await page.getByRole("button", { name: "Accept" }).click();
    await page
      .getByText(/Nothing can be saved there until it is back/)
      .first()
      .waitFor();
  });

  test("shows the practice's films again when the database is back and the user continues", async () => {
    const { page } = window();
    await cluster.start();
    await page.getByText("The database is back.").waitFor();
    expect(await page.getByLabel("Findings").inputValue()).toBe("Enlarged");
    await page.getByRole("button", { name: "Discard and continue" }).click();
    await nothingIsSaved().waitFor({ state: "detached" });
    await expect.poll(names).toEqual(["dog-01.jpg"]);
  });
});
