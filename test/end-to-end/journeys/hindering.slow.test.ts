import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { folderForFile, folderForTest } from "../../fixtures/folders.ts";
import { queueLimit } from "../../../main/services/measuring/work-queue.ts";
import { dropFiles, openFilms, openRow, openSettings, waitForFilms } from "../actions.ts";
import { startJourney } from "../journey.ts";
import { openProgram, type OpenedProgram } from "../open-program.ts";
import { ask, hold, openWindow, phantom, refuse, type Window } from "../program.ts";

const { browser, program, test } = startJourney();

/** A separate disk that can be filled; null if none can be mounted. */
function smallDisk(): { readonly folder: string; free(): void } | null {
  const folder = mkdtempSync(path.join(tmpdir(), "corvet-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=256m", "tmpfs", folder], { stdio: "ignore" });
  } catch {
    rmSync(folder, { recursive: true });
    return null;
  }
  return {
    folder,
    free: () => {
      execFileSync("umount", ["-l", folder]);
      rmSync(folder, { recursive: true });
    },
  };
}

function fill(file: string): void {
  try {
    for (;;) writeFileSync(file, Buffer.alloc(1024 * 1024), { flag: "a" });
  } catch (error) {
    expect(error).toMatchObject({ code: "ENOSPC" });
  }
}

/** Rows covered by the visible messages, which must have space of their own. */
function underMessages(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll(".toast")].flatMap((toast) => {
      const { left, top, width, height } = toast.getBoundingClientRect();
      const middle = document.elementsFromPoint(left + width / 2, top + height / 2);
      const covered = middle.filter((element) => !element.closest(".toasts") && element.matches("li, li *, tr, tr *"));
      return covered.map((element) => element.outerHTML.slice(0, 80));
    }),
  );
}

/** A program without packs, on the small disk if there is one. */
const disk = smallDisk();
const packs = folderForFile();
let bare: OpenedProgram;
let bareWindow: Window;
beforeAll(async () => {
  bare = await openProgram({ packsDir: packs, pollMs: 100, ...(disk && { disk: disk.folder }) });
  bareWindow = await openWindow(browser(), bare.pageUrl);
});
afterAll(async () => {
  await bareWindow?.context.close();
  await bare?.stop();
  disk?.free();
});

test("reports a full disk with advice and the files that do not fit, until there is free space", async ({ skip }) => {
  skip(disk === null, "needs mount");
  const { page } = bareWindow;
  const filler = path.join(disk!.folder, "filler");
  fill(filler);
  const notice = page.getByRole("alert").filter({ hasText: "The disk is nearly full. Free some space" });
  await notice.waitFor();
  await dropFiles(page, [phantom("dog-01.jpg")]);
  await page.locator(".toast.fault").filter({ hasText: "dog-01.jpg: The disk is full; free some space" }).waitFor();
  rmSync(filler);
  await notice.waitFor({ state: "detached" });
  await expect.poll(() => page.locator(".toast.fault").count()).toBe(0);
  await dropFiles(page, [phantom("dog-01.jpg")]);
  await page.getByTestId("film").filter({ hasText: "dog-01.jpg" }).waitFor();
});

test("shows what to do without a pack until one is installed", async () => {
  const { page } = bareWindow;
  const notice = page.getByText("No model pack is loaded.");
  await notice.waitFor();
  for (const pack of ["landmarks-corvet", "gate-corvet"])
    cpSync(path.join("models/packs", pack), path.join(packs, pack), { recursive: true });
  await ask(page, "packs.activate", { name: "landmarks-corvet" });
  await notice.waitFor({ state: "detached" });
  expect(bareWindow.complaints).toEqual([]);
});

test("reports a full queue, and measures the films once there is space", async ({ page, onTestFinished }) => {
  const places = program().corvet.context.queue.reserve(queueLimit);
  onTestFinished(() => places.release());
  const films = ["dog-01.jpg", "dog-03.jpg", "dog-04.jpg"];
  await dropFiles(page, films.map(phantom));
  const notice = page.getByText("The queue is full.");
  await notice.waitFor();
  places.release();
  expect((await waitForFilms(page, films)).map(({ state }) => state)).toEqual(["done", "done", "done"]);
  await notice.waitFor({ state: "detached" });
});

test("covers no row of the worklist, patients or ledger by a message, and keeps it below a dialog", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1024, height: 700 });
  await openFilms(page, ["dog-02.jpg", "dog-05.jpg", "dog-06.jpg"].map(phantom));
  const broken = path.join(folderForTest(), "broken.jpg");
  writeFileSync(broken, "no picture");
  await dropFiles(page, [broken]);
  await page.locator(".toast.fault").waitFor();
  for (const place of ["Alt+1", "Alt+2", "Alt+6", "Alt+7"]) {
    await page.keyboard.press(place);
    await page.locator(".toast.fault").waitFor();
    expect([place, await underMessages(page)]).toEqual([place, []]);
  }
  await page.keyboard.press("Alt+1");
  await page.getByTestId("left-alone").getByRole("button", { name: "Show details" }).click();
  await page.getByRole("dialog").waitFor();
  expect(await page.getByRole("dialog").locator(".toast").count()).toBe(0);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(await page.locator(".toast.fault").count()).toBe(1);
});

/** Presses "Try again" unless an event of the program has refetched meanwhile. */
const tryAgain = (fault: Locator) =>
  fault
    .getByRole("button", { name: "Try again" })
    .evaluateAll((buttons) => buttons.forEach((button) => (button as HTMLElement).click()));

test("retries a failed request", async ({ page }) => {
  const places = [
    ["Alt+6", "Usage", "ledger.usage"],
    ["Alt+6", "Entries", "ledger.events"],
    ["Alt+7", "Data and backups", "backups.list"],
    ["Alt+7", "DICOM", "dicom.log"],
  ] as const;
  for (const [keys, tab, channel] of places) {
    await page.keyboard.press("Alt+1");
    await refuse(page, channel, "INTERNAL");
    await page.keyboard.press(keys);
    await page.getByRole("tab", { name: tab }).click();
    const fault = page.getByRole("alert").filter({ hasText: "Something went wrong in Corvet." });
    await fault.waitFor();
    // The page is no longer loading, and does not claim to be empty.
    for (const words of ["Loading…", "No connections yet"])
      await expect.poll(async () => [channel, words, await page.getByText(words).count()]).toEqual([channel, words, 0]);
    await page.unroute(`**/app/call/${channel}`);
    await tryAgain(fault);
    await fault.waitFor({ state: "detached" });
  }
});

test("reports data that could not be loaded, instead of omitting them", async ({ page }) => {
  const channels = ["dicom.sendings", "marks.list", "dicom.nodes"] as const;
  for (const channel of channels) await refuse(page, channel, "STORE_BUSY");
  await refuse(page, "received.list", "STORE_BUSY");
  await page.reload();
  await page.getByRole("button", { name: "Received: The database is in use" }).click();
  const received = page.getByRole("dialog", { name: "Received, not shown" });
  await received.getByRole("alert").filter({ hasText: "The database is in use" }).waitFor();
  expect(await received.getByText("No received objects left").count()).toBe(0);
  await page.unroute("**/app/call/received.list");
  await received.getByRole("button", { name: "Try again" }).click();
  await received.getByText("No received objects left").waitFor();
  await page.keyboard.press("Escape");
  await openRow(page, "dog-02.jpg");
  const fault = page.locator(".panel").getByRole("alert").filter({ hasText: "The database is in use" });
  await expect.poll(() => fault.count()).toBe(2);
  await fault.filter({ hasText: "Annotations from other programs:" }).waitFor();
  await page.getByRole("button", { name: "Share" }).click();
  const menu = page.getByRole("menu");
  await menu.getByText("The database is in use").waitFor();
  expect(await menu.getByRole("menuitem", { name: "Send to a PACS…" }).count()).toBe(0);
  for (const channel of channels) await page.unroute(`**/app/call/${channel}`);
  await menu.getByRole("menuitem", { name: "Try again" }).click();
  await page.getByRole("button", { name: "Share" }).click();
  await menu.getByRole("menuitem", { name: "Send to a PACS…" }).waitFor();
  await page.keyboard.press("Escape");
  await tryAgain(fault);
  await fault.first().waitFor({ state: "detached" });
});

test("keeps typed text after a failed refetch, which is reported until it succeeds", async ({ page }) => {
  const fault = page.getByRole("alert").filter({ hasText: "The database is in use by another program" });
  await page.clock.install();
  await openSettings(page, "Database");
  const host = page.getByLabel("Host name or IP address");
  await host.fill("server.example");
  await refuse(page, "database.get", "STORE_BUSY");
  await page.clock.fastForward(10_000);
  await fault.waitFor();
  expect(await host.inputValue()).toBe("server.example");
  await page.unroute("**/app/call/database.get");
  await tryAgain(fault);
  await fault.waitFor({ state: "detached" });
  expect(await host.inputValue()).toBe("server.example");
  await page.getByRole("tab", { name: "DICOM" }).click();
  await page.getByRole("button", { name: "Add a destination…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill("Archive");
  await refuse(page, "dicom.get", "STORE_BUSY");
  await ask(page, "dicom.configure", { isOn: false });
  await page.locator(".notice.fault").filter({ hasText: "The database is in use" }).waitFor();
  expect(await dialog.getByLabel("Name", { exact: true }).inputValue()).toBe("Archive");
  await page.unroute("**/app/call/dicom.get");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
});

test("does not show the error of one filter for another", async ({ page }) => {
  await page.keyboard.press("Alt+6");
  await page.getByRole("tab", { name: "Entries" }).click();
  const service = page.getByLabel("Service");
  await page.getByText(/^\d+ of \d+$/).waitFor();
  await refuse(page, "ledger.events", "STORE_BUSY");
  await service.selectOption("usg");
  const fault = page.getByRole("alert").filter({ hasText: "The database is in use by another program" });
  await fault.waitFor();
  await page.unroute("**/app/call/ledger.events");
  const release = await hold(page, "ledger.events");
  await service.selectOption("");
  await fault.waitFor({ state: "detached" });
  release();
  await page.unrouteAll({ behavior: "wait" });
});
