import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startCluster, type Cluster } from "../../fixtures/postgres/cluster.ts";
import { hasPostgres } from "../../fixtures/postgres/programs.ts";
import { urlOf } from "../../fixtures/postgres/temporary-database.ts";
import { axeFaultsInBothThemes, openFilms, openRow } from "../actions.ts";
import { openProgram } from "../open-program.ts";
import { ask, closeWindows, openWindow, phantom, sharedBrowser, type Program, type Window } from "../program.ts";
import { keepOrder } from "../../fixtures/keep-order.ts";

keepOrder();

describe.runIf(hasPostgres)("a practice whose database goes away and comes back", () => {
  let cluster: Cluster;
  let program: Program;
  let window: Window;
  beforeAll(async () => {
    cluster = await startCluster();
    program = await openProgram({ database: urlOf(cluster.folder, "postgres") });
    window = await openWindow(await sharedBrowser(), program.pageUrl);
  });
  afterAll(async () => {
    await closeWindows();
    await program?.stop();
    await cluster?.remove();
  });

  const names = async () => (await ask(window.page, "films.list", {})).films.map(({ fileName }) => fileName).sort();
  const drafting = () => window.page.getByText("You are working on drafts.");

  test("films that are opened meanwhile are drafts, and say so", async () => {
    const { page } = window;
    await openFilms(page, [phantom("dog-01.jpg")]);
    await openRow(page, "dog-01.jpg");
    await page.getByTestId("vhs").waitFor();
    await page.getByLabel("Findings").fill("Half of a");
    await cluster.stop("at once");
    await page.getByText(/The practice’s database does not answer/).waitFor();
    await page.getByText("Not saved yet.").waitFor();
    expect([await drafting().isVisible(), await page.getByLabel("Findings").inputValue()]).toEqual([
      false,
      "Half of a",
    ]);
    await page.getByRole("button", { name: "Discard and work on drafts" }).click();
    await drafting().waitFor();
    expect(await names()).toEqual([]);
    await openFilms(page, [phantom("dog-03.jpg")]);
    await openRow(page, "dog-03.jpg");
    await page.getByTestId("vhs").waitFor();
    await page.getByText(/1 film is kept on this machine/).waitFor();
    expect(await axeFaultsInBothThemes(page)).toEqual([]);
    await page.getByLabel("Signed by").fill("Dr Weber");
    await page.getByRole("button", { name: "Accept" }).click();
    await expect.poll(async () => (await ask(page, "films.list", {})).films[0]?.reading?.verdict).toBe("accepted");
  });

  test("when it is back they are the practice's, with who read them", async () => {
    const { page } = window;
    await cluster.start();
    await drafting().waitFor({ state: "detached" });
    await expect.poll(names).toEqual(["dog-01.jpg", "dog-03.jpg"]);
    const { films } = await ask(page, "films.list", {});
    const handedOver = films.find(({ fileName }) => fileName === "dog-03.jpg")!;
    const { readings } = await ask(page, "films.get", { filmId: handedOver.id });
    expect(readings.map(({ verdict, who }) => [verdict, who])).toEqual([
      [null, null],
      ["accepted", "Dr Weber"],
    ]);
    await openRow(page, "dog-03.jpg");
    expect(window.complaints).toEqual([]);
  });
});
