import { afterAll, beforeAll, describe, expect } from "vitest";
import { hasPostgres } from "../../fixtures/postgres/programs.ts";
import { temporaryDatabase, type TemporaryDatabase } from "../../fixtures/postgres/temporary-database.ts";
import { axeFaultsInBothThemes, createPatient, openSettings } from "../actions.ts";
import { startJourney } from "../journey.ts";
import { ask, hold } from "../program.ts";

describe.runIf(hasPostgres)("choosing a database", () => {
  const { test } = startJourney();
  let database: TemporaryDatabase;
  beforeAll(async () => {
    database = await temporaryDatabase({ hasStore: false });
  });
  afterAll(() => database.remove());

  test("rejects an unreachable database with advice", async ({ page }) => {
    await openSettings(page, "Database");
    await page.getByText("In a file on this computer.").waitFor();
    await page.getByLabel("Paste an address").fill("postgres://vet:secret@127.0.0.1:1/practice");
    await page.getByLabel("Paste an address").blur();
    expect(await page.getByLabel("Host name or IP address").inputValue()).toBe("127.0.0.1");
    expect(await page.getByLabel("Paste an address").inputValue()).toBe("");
    await page.getByRole("button", { name: "Test connection" }).click();
    await page.getByText(/^No response at this port/).waitFor();
    expect(await page.getByRole("button", { name: "Use from the next start" }).isDisabled()).toBe(true);
  });

  test("hides the result of a test when the fields change", async ({ page }) => {
    await page.getByLabel("Paste an address").fill(database.url);
    await page.getByLabel("Paste an address").blur();
    const name = await page.getByRole("textbox", { name: "Database", exact: true }).inputValue();
    const release = await hold(page, "database.test");
    await page.getByRole("button", { name: "Test connection" }).click();
    await page.getByRole("textbox", { name: "Database", exact: true }).fill("another");
    const answered = page.waitForResponse("**/app/call/database.test");
    release();
    await answered;
    await expect.poll(() => page.getByRole("button", { name: "Test connection" }).isEnabled()).toBe(true);
    expect(await page.getByText(/^The database can be used/).count()).toBe(0);
    expect(await page.getByRole("button", { name: "Use from the next start" }).isDisabled()).toBe(true);
    await page.getByRole("textbox", { name: "Database", exact: true }).fill(name);
    await page.getByText(/^The database can be used/).waitFor();
  });

  test("uses an empty database from the next start, and shows how to copy the existing data", async ({ page }) => {
    await createPatient(page, "Rex");
    await page.getByLabel("Paste an address").fill(database.url.replace("postgres@", "postgres:geheim@"));
    await page.getByLabel("Paste an address").blur();
    await page.getByRole("button", { name: "Test connection" }).click();
    await page.getByText(/^The database can be used. It is empty/).waitFor();
    await page.getByText(/corvet store copy --from/).waitFor();
    expect(await axeFaultsInBothThemes(page)).toEqual([]);
    await page.getByRole("button", { name: "Use from the next start" }).click();
    await page.getByText(/^From the next start, the data are stored in/).waitFor();
    expect(await page.content()).not.toContain("geheim");
  });

  test("cancels the choice before the restart", async ({ page }) => {
    await page.getByRole("button", { name: "Keep using the file" }).click();
    await expect.poll(async () => (await ask(page, "database.get", {})).next).toBeNull();
  });
});
