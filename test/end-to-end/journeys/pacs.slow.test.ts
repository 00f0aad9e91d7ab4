import type { ChildProcess } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect } from "vitest";
import { folderForFile } from "../../fixtures/folders.ts";
import { freePort, hasDcmtk, run } from "../../main/dicom/network/dcmtk.ts";
import { phantomFile } from "../../main/dicom/phantom-film.ts";
import { hasOrthanc, spawnOrthanc } from "../../main/services/network/orthanc.ts";
import { startJourney } from "../journey.ts";
import { axeFaults, axeFaultsInBothThemes } from "../actions.ts";
import { openProgram } from "../open-program.ts";
import { ask } from "../program.ts";
import { waitUntil } from "../../fixtures/patience.ts";

const canRun = hasDcmtk && hasOrthanc;

const folder = folderForFile();
let pacs: ChildProcess | null = null;
let port = 0;
afterAll(() => void pacs?.kill("SIGKILL"));

const { test } = startJourney(
  async (page) => {
    await ask(page, "settings.save", { measuresOnArrival: false });
    if (canRun) await storeFilms();
  },
  async () => {
    // Orthanc starts while the program does.
    port = await freePort();
    if (canRun) pacs = spawnOrthanc(folder, { dicomPort: port, ownPort: await freePort() });
    return await openProgram();
  },
);

async function storeFilms(): Promise<void> {
  const archive = ["-aec", "PACS", "127.0.0.1", String(port)];
  await waitUntil(async () => (await run("echoscu", archive)).status === 0, "Orthanc responds");
  const files = ["1.2.276.90.1", "1.2.276.90.2"].map((study) => {
    const file = path.join(folder, `${study}.dcm`);
    const patient = { patientId: "P-90", patientName: "Berg^Emma", responsiblePerson: "Berg^Ida" };
    writeFileSync(file, phantomFile({ study, instance: `${study}.1`, ...patient }));
    return file;
  });
  expect(await run("storescu", [...archive, ...files])).toMatchObject({ status: 0 });
}

describe.skipIf(!canRun)("with Orthanc", () => {
  test("searches for a study by keyboard and fetches it, accessible in both themes", async ({ page }) => {
    await page.keyboard.press("Alt+1");
    await page.getByRole("button", { name: "Open films" }).click();
    await page.getByRole("menuitem", { name: "Key films" }).click();
    await page.getByText("No list of key films opened or received yet").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Open films" }).click();
    await page.getByRole("menuitem", { name: "Search a PACS…" }).click();
    const dialog = page.getByRole("dialog", { name: "Search a PACS" });
    await dialog.getByText("No archive yet").waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Add a destination…" }).press("Enter");
    await dialog.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Add a destination…" }).waitFor();
    await page.keyboard.press("Alt+1");
    await ask(page, "dicom.saveNode", { nodeId: null, name: "Archive", host: "127.0.0.1", port, aeTitle: "PACS" });
    await page.getByRole("button", { name: "Open films" }).click();
    await page.getByRole("menuitem", { name: "Search a PACS…" }).click();
    await dialog.getByLabel("Animal or owner").fill("nobody");
    await page.keyboard.press("Enter");
    await dialog.getByText("Nothing found").waitFor();
    await dialog.getByLabel("From date").fill("2026-11-02");
    await dialog.getByLabel("To date").fill("2026-11-01");
    await page.keyboard.press("Enter");
    await dialog.getByText("Before the start date").waitFor();
    await dialog.getByText("Nothing found").waitFor();
    await dialog.getByLabel("From date").fill("");
    await dialog.getByLabel("To date").fill("");
    await dialog.getByLabel("Animal or owner").fill("emma");
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Fetch" }).nth(1).waitFor();
    expect(await axeFaultsInBothThemes(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Fetch" }).first().press("Enter");
    await dialog.getByText("1 fetched").waitFor();
    await dialog.getByLabel("Animal or owner").press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await expect.poll(async () => (await ask(page, "films.list", { search: "Emma" })).films).toHaveLength(1);
  });

  test("reports the outcome of a retrieval after its row has disappeared", async ({ page }) => {
    const answer = Promise.withResolvers<undefined>();
    await page.route("**/app/call/pacs.fetch", async (route) => {
      await answer.promise;
      await route.fulfill({ json: { ok: true, value: { fetchedObjects: 0, failedObjects: 1, failure: null } } });
    });
    await page.getByRole("button", { name: "Open films" }).click();
    await page.getByRole("menuitem", { name: "Search a PACS…" }).click();
    const dialog = page.getByRole("dialog", { name: "Search a PACS" });
    await dialog.getByLabel("Animal or owner").fill("emma");
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Fetch" }).first().click();
    await dialog.getByText("0 fetched…").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    answer.resolve(undefined);
    await page.getByText("Berg Emma: 0 fetched, 1 failed").waitFor();
    await page.unroute("**/app/call/pacs.fetch");
  });

  test("fetches a patient's earlier films from the trend in one click", async ({ page }) => {
    await page.keyboard.press("Alt+2");
    await page.getByRole("button", { name: /Emma/ }).first().click();
    await page.getByRole("button", { name: "Fetch earlier films" }).click();
    await page.getByText("1 earlier film fetched").waitFor();
    await expect.poll(async () => (await ask(page, "films.list", { search: "Emma" })).films.length).toBe(2);
  });
});
