import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { expect } from "vitest";
import { folderForTest } from "../../fixtures/folders.ts";
import { freePort, hasDcmtk } from "../../main/dicom/network/dcmtk.ts";
import { unzipped } from "../../fixtures/unzipped.ts";
import { createPatient, downloadBy, openFilms, openRow, openSettings } from "../actions.ts";
import { ask } from "../program.ts";
import { startJourney } from "../journey.ts";

const film = fileURLToPath(new URL("../../fixtures/films/cat-01.jpg", import.meta.url));

const { window, test } = startJourney();

const menu = () => window().page.getByRole("button", { name: "Share" });
const choose = async (entry: string) => {
  await menu().click();
  await window().page.getByRole("menuitem", { name: entry }).click();
};

test("saves the practice's address and logo, and removes the logo", async ({ page }) => {
  await openSettings(page, "General");
  await page.getByLabel("Practice address").fill("12 Pond Street\nErlangen");
  await page.getByLabel("Practice address").blur();
  const logo = await sharp({ create: { width: 1200, height: 300, channels: 3, background: "#0a7050" } })
    .png()
    .toBuffer();
  await page
    .getByLabel("Logo", { exact: true })
    .setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: logo });
  await page.getByRole("img", { name: "Logo" }).waitFor();
  const saved = await ask(page, "settings.get", {});
  expect([saved.clinicAddress, saved.clinicLogo.slice(0, 22)]).toEqual([
    "12 Pond Street\nErlangen",
    "data:image/png;base64,",
  ]);
  expect((await sharp(Buffer.from(saved.clinicLogo.slice(22), "base64")).metadata()).width).toBe(600);
  await page
    .getByLabel("Logo", { exact: true })
    .setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: Buffer.from("no picture") });
  await page.getByText("Not a readable image").waitFor();
  await page.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("img", { name: "Logo" }).waitFor({ state: "detached" });
});

test("omits unsaved findings from the owner's handout, with a notice", async ({ page }) => {
  await page.keyboard.press("Alt+1");
  await openFilms(page, [film]);
  await openRow(page, "cat-01.jpg");
  await page.getByLabel("Findings").fill("Calm cat");
  const [handout, request] = await Promise.all([
    page.waitForEvent("download"),
    page.waitForRequest("**/app/call/reports.handout"),
    page.getByText("Unsaved findings are not shared").waitFor(),
    choose("Handout for the owner (PDF)"),
  ]);
  await page.getByLabel("Findings").fill("");
  expect(request.postDataJSON()).toMatchObject({ audience: "owner" });
  expect([
    handout.suggestedFilename(),
    readFileSync(await handout.path())
      .subarray(0, 5)
      .toString(),
  ]).toEqual(["cat-01.pdf", "%PDF-"]);
  await page.getByRole("dialog").waitFor({ state: "detached" });
});

test("prints a handout in the chosen language, with the patient's name in its file name", async ({ page }) => {
  const { films } = await ask(page, "films.list", {});
  const bella = await createPatient(page, "Bella", { species: "cat", owner: "Anna Müller" });
  await ask(page, "films.assignPatient", { filmIds: [films[0]!.id], patientId: bella.id });
  await ask(page, "films.edit", { filmId: films[0]!.id, takenAt: new Date(2026, 10, 21, 9).toISOString() });
  await menu().click();
  await page.getByRole("menuitem", { name: "In another language" }).press("ArrowRight");
  const file = await downloadBy(page, () =>
    page.getByRole("menuitem", { name: "Handout, Deutsch (PDF)" }).press("Enter"),
  );
  expect(file.suggestedFilename()).toBe("Mueller_Bella_2026-11-21_VHS.pdf");
  expect(readFileSync(await file.path()).includes("/Lang (de)")).toBe(true);
  await page.getByRole("dialog").waitFor({ state: "detached" });
});

test("offers the published VHS limits with their caution for a cat's findings", async ({ page }) => {
  await page.getByRole("button", { name: "Insert…" }).click();
  await page.getByRole("menuitem", { name: "Cat in respiratory distress…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText(/^Long axis [\d.]+\sv plus short axis [\d.]+\sv: VHS [\d.]+\sv\.$/).waitFor();
  await dialog.getByText("Sleeper et al. 2013").waitFor();
  await dialog.getByText(/36\s% of cats in failure had no visible enlargement/).waitFor();
  await dialog.locator(".dialog-foot").getByRole("button", { name: "Close" }).click();
  await dialog.waitFor({ state: "detached" });
});

test("attaches a handout to a message if the system can share files, otherwise saves it", async ({ page }) => {
  await page.evaluate(() => {
    const seen: unknown[] = [];
    Object.assign(globalThis, { sharedWith: seen });
    Object.assign(navigator, {
      canShare: () => true,
      share: (data: ShareData) => {
        seen.push([data.title, data.files?.map(({ name, type, size }) => [name, type, size > 10_000])]);
        return Promise.resolve();
      },
    });
  });
  await choose("Send handout by e-mail…");
  await expect
    .poll(() => page.evaluate(() => (globalThis as unknown as { sharedWith: unknown[] }).sharedWith))
    .toEqual([
      [
        "Bella: heart size on the radiograph of 21/11/2026",
        [["Mueller_Bella_2026-11-21_VHS.pdf", "application/pdf", true]],
      ],
    ]);
  await page.evaluate(() => {
    Object.assign(navigator, { canShare: () => false });
    document.addEventListener("click", (event) => {
      const link = event.target as HTMLAnchorElement;
      if (!link.href?.startsWith("mailto:")) return;
      event.preventDefault();
      Object.assign(globalThis, { message: link.href });
    });
  });
  const file = await downloadBy(page, () => choose("Send handout by e-mail…"));
  expect(file.suggestedFilename()).toBe("Mueller_Bella_2026-11-21_VHS.pdf");
  await page.getByText("The handout Mueller_Bella_2026-11-21_VHS.pdf was saved.").waitFor();
  expect(await page.evaluate(() => (globalThis as unknown as { message: string }).message)).toContain(
    "mailto:?subject=Bella%3A%20heart%20size",
  );
  const { events } = await ask(page, "audit.list", { actions: ["film.exported"] });
  expect(events.slice(0, 2).map(({ detail }) => detail["way"])).toEqual(["mail", "mail"]);
  await page.getByRole("dialog").waitFor({ state: "detached" });
  const { films } = await ask(page, "films.list", {});
  await ask(page, "films.assignPatient", { filmIds: [films[0]!.id], patientId: null });
});

test("copies the picture as PNG, with the marks shown or without", async ({ page }) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  /** Whether the picture has marks, which are coloured while the film is grey. */
  const hasColour = () =>
    page.evaluate(async () => {
      const [item] = await navigator.clipboard.read();
      const picture = await createImageBitmap(await item!.getType("image/png"));
      const context = new OffscreenCanvas(picture.width, picture.height).getContext("2d")!;
      context.drawImage(picture, 0, 0);
      const { data } = context.getImageData(0, 0, picture.width, picture.height);
      for (let index = 0; index < data.length; index += 4)
        if (data[index] !== data[index + 1] || data[index] !== data[index + 2]) return true;
      return false;
    });
  const toast = page.getByText("Image copied");
  await choose("Copy image without overlay");
  await toast.waitFor();
  expect(await hasColour()).toBe(false);
  await page.keyboard.press("Control+c");
  await expect.poll(hasColour).toBe(true);
  const { events } = await ask(page, "audit.list", { actions: ["film.exported"] });
  expect(events.slice(0, 2).map(({ detail }) => detail["way"])).toEqual(["pictures", "pictures"]);
});

test("links from the menu to the settings without a node", async ({ page }) => {
  await choose("Send to a PACS…");
  await page.getByRole("tab", { name: "DICOM", selected: true }).waitFor();
  await page.keyboard.press("Alt+1");
});

test("sends a result to a node, and reports an unreachable node with a retry", async ({ skip }) => {
  skip(!hasDcmtk, "needs DCMTK");
  const { page } = window();
  const folder = folderForTest();
  const port = await freePort();
  const fields = { nodeId: null, name: "Archive", host: "127.0.0.1", port, aeTitle: "ARCHIVE" };
  const nodeId = (await ask(page, "dicom.saveNode", fields)).nodes[0]!.id;
  await page.keyboard.press("Alt+6");
  await page.keyboard.press("Alt+1");
  await openRow(page, "cat-01.jpg");
  await choose("Send to Archive");
  const dialog = page.getByRole("dialog", { name: "Archive did not accept the result" });
  await dialog.getByText("No response at this address and port").waitFor();
  const archive = spawn("storescp", ["-aet", "ARCHIVE", "-od", folder, String(port)], { stdio: "ignore" });
  try {
    await expect.poll(async () => (await ask(page, "dicom.testNode", { nodeId })).failure).toBeNull();
    await dialog.getByRole("button", { name: "Try again" }).click();
    await page.getByText("Archive accepted 4 objects").waitFor();
    expect(readdirSync(folder)).toHaveLength(4);
  } finally {
    const ended = once(archive, "exit");
    archive.kill();
    await ended;
  }
});

test("saves an accepted film as DICOM", async ({ page }) => {
  await openRow(page, "cat-01.jpg");
  await page.getByLabel("Signed by").fill("Dr Weber");
  await page.getByRole("button", { name: "Accept" }).click();
  await page.getByTestId("film").filter({ hasText: "cat-01.jpg" }).filter({ hasText: "Accepted" }).waitFor();
  const file = await downloadBy(page, () => choose("Save as DICOM"));
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(file.suggestedFilename()).toBe("cat-01-dicom.zip");
  const names = [...(await unzipped(readFileSync(await file.path()))).keys()];
  expect(names).toContainEqual(expect.stringMatching(/key-objects\.dcm$/));
});
