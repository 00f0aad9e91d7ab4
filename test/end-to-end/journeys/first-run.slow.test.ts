import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { hasPostgres } from "../../fixtures/postgres/programs.ts";
import { temporaryDatabase } from "../../fixtures/postgres/temporary-database.ts";
import { axeFaultsInBothThemes, waitForFilms } from "../actions.ts";
import { openProgram } from "../open-program.ts";
import { ask, closeWindows, openWindow, sharedBrowser, type Program, type Window } from "../program.ts";
import { keepOrder } from "../../fixtures/keep-order.ts";

keepOrder();

describe("the first run", () => {
  let program: Program;
  let window: Window;
  let page: Page;
  const dialog = () => page.getByRole("dialog", { name: "Welcome to Corvet" });
  const next = () => dialog().getByRole("button", { name: "Next" }).click();
  const step = (name: string) => dialog().getByRole("region", { name }).waitFor();

  beforeAll(async () => {
    program = await openProgram({ isFirstRun: true });
    window = await openWindow(await sharedBrowser(), program.pageUrl);
    ({ page } = window);
  });
  afterAll(async () => {
    await closeWindows();
    await program?.stop();
  });
  afterEach(() => expect(window.complaints.splice(0)).toEqual([]));

  it("begins by itself where nothing was done yet, and is read by assistive technology", async () => {
    await step("Language");
    expect(await dialog().locator(".welcome-steps li").count()).toBeLessThanOrEqual(6);
    expect(await axeFaultsInBothThemes(page)).toEqual([]);
  });

  it("asks for the practice and shows where its data lie", async () => {
    await next();
    await dialog().getByLabel("Clinic").fill("Sommer clinic");
    const refused = { ok: false, code: "STORE_BUSY", message: "", reason: null };
    const fault = dialog().getByRole("alert").filter({ hasText: "The database is in use by another program" });
    const channels = ["app.about", "backups.plan"];
    for (const channel of channels)
      await page.route(`**/app/call/${channel}`, (route) => route.fulfill({ json: refused }));
    await next();
    await step("Data");
    for (const channel of channels) {
      await fault.waitFor();
      await page.unroute(`**/app/call/${channel}`);
      // A page that has lost its events for a moment asks again by itself, and leaves nothing to press.
      const again = fault.getByRole("button", { name: "Try again" });
      await again.click({ timeout: 5000 }).catch(() => fault.waitFor({ state: "detached" }));
    }
    await dialog().getByLabel("Folder: another disk, a network folder").waitFor();
    await dialog().locator(".welcome-folder").filter({ hasText: "corvet-journey-" }).waitFor();
    expect(await ask(page, "settings.get", {})).toMatchObject({ clinicName: "Sommer clinic", isSetUp: false });
  });

  it("can be left for one person, and turns sign-in on for several", async () => {
    await next();
    await step("People");
    await dialog().getByLabel("Who uses Corvet here?").selectOption("several");
    await dialog().getByLabel("Name").fill("Dr Weber");
    await dialog().getByLabel("PIN or password", { exact: true }).fill("4711");
    await dialog().getByLabel("Repeat").fill("4711");
    await dialog().getByRole("button", { name: "Turn sign-in on" }).click();
    await dialog().getByText("People already sign in here.").waitFor();
    expect((await ask(page, "session.get", {})).me?.name).toBe("Dr Weber");
  });

  it("offers the receiver and loads the sample study, which is marked", async () => {
    await next();
    await step("Camera and X-ray unit");
    await next();
    await step("Try it");
    await dialog().getByRole("button", { name: "Load the sample study" }).click();
    await dialog().getByText("The sample study is on the worklist.").waitFor();
    await dialog().getByRole("button", { name: "Start", exact: true }).click();
    await dialog().waitFor({ state: "detached" });
    await waitForFilms(page, ["sample-1.jpg", "sample-2.jpg"]);
    await page.getByTestId("film").filter({ hasText: "Simulated" }).nth(1).waitFor();
    await page.getByText("It shows no real animal.").waitFor();
  });

  it("does not come again, and the sample study is removed in the settings", async () => {
    expect((await ask(page, "settings.get", {})).isSetUp).toBe(true);
    await page.keyboard.press("Alt+6");
    await page.getByRole("button", { name: "Remove the sample study" }).click();
    await page.getByRole("button", { name: "Load the sample study" }).waitFor();
    expect((await ask(page, "films.list", {})).total).toBe(0);
    await page.reload();
    await page.locator(".rail").waitFor();
    expect(await dialog().count()).toBe(0);
  });

  it("can be gone through once more from the settings, and left at any step", async () => {
    await page.keyboard.press("Alt+6");
    for (const [steps, name] of ["Language", "Practice", "Data", "People", "Camera and X-ray unit"].entries()) {
      await page.getByRole("button", { name: /^Set up again/ }).click();
      for (let done = 0; done < steps; done += 1) await next();
      await step(name);
      await dialog().getByRole("button", { name: "Leave set-up" }).click();
      await dialog().waitFor({ state: "detached" });
    }
    expect(await ask(page, "settings.get", {})).toMatchObject({ clinicName: "Sommer clinic", isSetUp: true });
  });

  it("keeps what stands in a field when Escape closes it", async () => {
    await page.getByRole("button", { name: /^Set up again/ }).click();
    await next();
    await dialog().getByLabel("Clinic").fill("Winter clinic");
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "detached" });
    await expect.poll(async () => (await ask(page, "settings.get", {})).clinicName).toBe("Winter clinic");
  });
});

describe.runIf(hasPostgres)("the first run on a practice's database", () => {
  it("says where copies are made, and asks for no folder to make them in", async () => {
    const database = await temporaryDatabase();
    const program = await openProgram({ database: database.url, isFirstRun: true });
    const { page } = await openWindow(await sharedBrowser(), program.pageUrl);
    try {
      const dialog = page.getByRole("dialog", { name: "Welcome to Corvet" });
      for (const step of ["Language", "Practice"]) {
        await dialog.getByRole("region", { name: step }).waitFor();
        await dialog.getByRole("button", { name: "Next" }).click();
      }
      await dialog.getByText("Corvet on this computer makes no backups").waitFor();
      expect(await dialog.getByLabel("Folder: another disk, a network folder").count()).toBe(0);
    } finally {
      await closeWindows();
      await program.stop();
      await database.remove();
    }
  });
});
