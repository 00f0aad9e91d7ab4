import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import type { Download, Locator } from "playwright-core";
import { expect } from "vitest";
import { readFrame } from "../../../main/dicom/pixels/read-frame.ts";
import { unzipped } from "../../fixtures/unzipped.ts";
import { freePort } from "../../main/dicom/network/dcmtk.ts";
import { createArchive } from "../../main/services/network/archive.ts";
import { axeFaults, downloadBy, openFilms, openRow } from "../actions.ts";
import { writeLuna } from "../prepared.ts";
import { startJourney } from "../journey.ts";
import { ask } from "../program.ts";

const { test } = startJourney(async (page) => {
  const { folder } = await writeLuna();
  await openFilms(
    page,
    ["I0001", "I0003"].map((name) => path.join(folder, "IMG", name)),
  );
});

const entriesOf = async (download: Download) => unzipped(readFileSync(await download.path()));

const places = async (areas: Locator) =>
  areas.evaluateAll((found) =>
    found.map((rect) => ["x", "y", "width", "height"].map((name) => Number(rect.getAttribute(name)).toFixed(2))),
  );

test("shows in the Share menu which formats name the patient", async ({ page }) => {
  await openRow(page, "I0001");
  await page.getByRole("button", { name: "Share" }).click();
  await expect.poll(() => page.locator(".menu-heading").allInnerTexts()).toEqual(["With names", "Without names"]);
  expect(await axeFaults(page, ["aria-required-children", "color-contrast"])).toEqual([]);
  await page.getByRole("menuitem", { name: "Export without names…" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Export without names" });
  await dialog.waitFor();
  // Screen readers would announce an unnamed group only as “group”.
  expect(await dialog.getByRole("group").count()).toBe(0);
});

test("adds, moves and resizes an area by keyboard, and exports it as black", async ({ page }) => {
  const dialog = page.getByRole("dialog", { name: "Export without names" });
  const clear = dialog.getByRole("button", { name: "Remove all boxes" });
  await dialog.getByTestId("blanking").waitFor();
  if (await clear.isEnabled()) await clear.click();
  await dialog.getByRole("button", { name: "Add a box" }).press("Enter");
  const frames = dialog.getByTestId("blanking").locator("rect");
  await expect.poll(() => places(frames)).toEqual([["0.40", "0.45", "0.20", "0.10"]]);
  for (let step = 0; step < 10; step += 1) await page.keyboard.press("ArrowLeft");
  for (let step = 0; step < 5; step += 1) await page.keyboard.press("ArrowUp");
  for (let step = 0; step < 10; step += 1) await page.keyboard.press("Shift+ArrowDown");
  await expect.poll(() => places(frames)).toEqual([["0.30", "0.40", "0.20", "0.20"]]);
  await dialog.getByRole("button", { name: "Add a box" }).press("Enter");
  await page.keyboard.press("Delete");
  await expect.poll(() => places(frames)).toHaveLength(1);
  const start = dialog.getByRole("button", { name: "Export", exact: true });
  expect(await start.isDisabled()).toBe(true);
  await dialog.getByRole("button", { name: "Checked" }).press("Enter");
  const download = await downloadBy(page, () => start.press("Enter"));
  expect(download.suggestedFilename()).toMatch(/^corvet-anonymous-\d{4}-\d\d-\d\d\.zip$/);
  const entries = await entriesOf(download);
  for (const [name, bytes] of entries)
    for (const secret of ["Luna", "Selin", "P-2041", "1.2.276.77.1"])
      expect(`${name} ${bytes.includes(secret)}`).toBe(`${name} false`);
  const film = [...entries].find(([name]) => name.endsWith("film.dcm"))![1];
  const frame = await readFrame(film, 0, () => Promise.reject(new Error("not compressed")));
  const at = (x: number, y: number) =>
    frame.samples[Math.floor(y * frame.heightPx) * frame.widthPx + Math.floor(x * frame.widthPx)];
  expect([at(0.31, 0.41), at(0.4, 0.5), at(0.49, 0.59)]).toEqual([0, 0, 0]);
  expect(at(0.6, 0.5)).toBeGreaterThan(0);
});

test("exports all data of a patient with or without names, as chosen", async ({ page }) => {
  const luna = (await ask(page, "films.list", {})).films.find(({ patient }) => patient?.name === "Luna")!;
  await page.keyboard.press("Alt+2");
  await page.getByRole("button", { name: /Luna/ }).first().click();
  await page.getByRole("heading", { name: "Luna" }).waitFor();
  await page.getByRole("button", { name: "Export all data" }).click();
  const question = page.getByRole("alertdialog", { name: "With names or without?" });
  await question.getByRole("button", { name: "Without names…" }).click();
  const dialog = page.getByRole("dialog", { name: "Export without names" });
  const all = (await ask(page, "films.list", { patientId: luna.patient!.id })).films.length;
  expect(all).toBeGreaterThan(1);
  await dialog.getByText(`Film 1 of ${all}`).waitFor();
  await page.keyboard.press("Escape");
});

test("sends films to an archive without names, and reports rejected ones, which can be sent again", async ({
  page,
  onTestFinished,
}) => {
  // DICOM status A700: out of resources.
  let status = 0xa700;
  const stored: string[] = [];
  const server = createArchive({ stores: (uid) => (stored.push(uid), status) });
  onTestFinished(() => void server.close());
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  await ask(page, "dicom.saveNode", { nodeId: null, name: "Teaching", host: "127.0.0.1", port, aeTitle: "PACS" });
  await page.keyboard.press("Alt+1");
  await openRow(page, "I0001");
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByRole("menuitem", { name: "Export without names…" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Export without names" });
  await dialog.getByRole("switch", { name: "Handouts (PDF)" }).waitFor();
  await dialog.getByLabel("Destination").selectOption({ label: "Send to Teaching" });
  expect(await dialog.getByRole("switch", { name: "Handouts (PDF)" }).count()).toBe(0);
  await dialog.getByRole("button", { name: "Checked" }).press("Enter");
  const start = dialog.getByRole("button", { name: "Send", exact: true });
  await start.press("Enter");
  await dialog.getByText(/A700/).waitFor();
  expect(await axeFaults(page, ["aria-required-children", "color-contrast"])).toEqual([]);
  status = 0;
  await start.press("Enter");
  await page.getByText("Teaching accepted 1 film without names").waitFor();
  await dialog.waitFor({ state: "detached" });
  expect(stored.filter((uid) => uid.startsWith("1.2.276.77."))).toEqual([]);
});

test("keeps the destination of a running transfer, which can be cancelled", async ({ page, onTestFinished }) => {
  const silent = createServer();
  onTestFinished(() => void silent.close());
  const port = await freePort();
  await new Promise<void>((resolve) => silent.listen(port, "127.0.0.1", resolve));
  await ask(page, "dicom.saveNode", { nodeId: null, name: "Silent", host: "127.0.0.1", port, aeTitle: "SILENT" });
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByRole("menuitem", { name: "Export without names…" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Export without names" });
  const destination = dialog.getByLabel("Destination");
  await destination.selectOption({ label: "Send to Silent" });
  await dialog.getByRole("button", { name: "Checked" }).press("Enter");
  await dialog.getByRole("button", { name: "Send", exact: true }).press("Enter");
  await dialog.getByText("Sending…").waitFor();
  expect(await destination.isDisabled()).toBe(true);
  expect(await dialog.getByRole("switch", { name: "Key file (names and pseudonyms)" }).isDisabled()).toBe(true);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
});
