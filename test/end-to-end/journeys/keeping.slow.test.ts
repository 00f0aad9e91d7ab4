import { generateKeyPairSync } from "node:crypto";
import { readFile } from "node:fs/promises";
import { expect } from "vitest";
import { downloadBy, goTo, isUncovered, openSettings, setLanguage } from "../actions.ts";
import { ask, hold } from "../program.ts";
import { openBella } from "../prepared.ts";
import { startJourney } from "../journey.ts";

const { window, program, test } = startJourney((page) => openBella(page, 1));

test("creates a key, shows it once, uses, renames, counts and revokes it", async () => {
  const { page, context } = window();
  await page.keyboard.press("Alt+6");
  await page.getByRole("tab", { name: "API keys" }).click();
  await page.getByRole("button", { name: "New key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Account").fill("Sommer clinic");
  await dialog.getByLabel("Key name").fill("Practice software");
  await dialog.getByRole("button", { name: "Create" }).click();
  const key = await page.locator(".fresh-key").innerText();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await dialog.getByRole("button", { name: "Copy" }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(key);
  await page
    .getByRole("dialog", { name: "This key is shown only once" })
    .locator("footer")
    .getByRole("button", { name: "Close" })
    .click();
  expect(await page.locator("body").innerText()).not.toContain(key);
  const firstCall = page.getByRole("region", { name: "First call" });
  const { url, authority } = await ask(page, "server.get", {});
  await firstCall.getByRole("button", { name: "Copy the call" }).click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe(`curl --cacert "${authority?.file}" -H "x-api-key: KEY" ${url}/v3/health`);

  const body = {
    BUN: 41,
    CREATININE: 2.4,
    HGB: 9.8,
    "ABSOLUTE LYMPHOCYTES": 1400,
    age_months: 168,
    clinic_code: "sommer-1",
  };
  const used = await context.request.post(`${program().origin}/usg/v1/predict`, {
    headers: { "x-api-key": key },
    data: body,
  });
  expect(used.status()).toBe(200);
  // The ledger is written shortly after the response.
  await expect.poll(async () => (await ask(page, "ledger.events", {})).total).toBe(1);

  await page.getByRole("tab", { name: "Usage" }).click();
  await page.getByText("Measuring in this window is free.").waitFor();
  await page.getByText("Terms", { exact: true }).click();
  const terms = page.locator(".terms li");
  await expect
    .poll(async () => (await terms.filter({ visible: true }).allInnerTexts()).map((words) => words.split(":")[0]))
    .toEqual(["Account", "Billable call", "Free recheck", "Tier", "Session"]);
  await page.getByRole("region", { name: "Sommer clinic" }).getByText("99 calls to the next tier").waitFor();
  await page.getByRole("button", { name: "Verify chain" }).click();
  await page.getByText(/Chain intact: \d+ rows? verified/).waitFor();

  await page.getByRole("tab", { name: "Entries" }).click();
  await page.getByRole("cell", { name: "Sommer clinic" }).waitFor();
  await page.getByLabel("Service").selectOption("cardiac");
  await page.getByText("No matching entry").waitFor();
  await page.getByLabel("Service").selectOption("");
  const download = await downloadBy(page, () => page.getByRole("button", { name: "Save as CSV" }).click());
  expect(download.suggestedFilename()).toMatch(/\.csv$/);
  // Excel needs the byte order mark.
  expect(await readFile(await download.path(), "utf8")).toMatch(/^\ufeffseq,/);

  await page.getByRole("tab", { name: "Urine report" }).click();
  await page.getByRole("cell", { name: "sommer-1" }).waitFor();

  await page.getByRole("tab", { name: "API keys" }).click();
  await page.getByRole("button", { name: "Rename: Practice software" }).click();
  await page.getByRole("dialog").getByLabel("Key name").fill("Front desk");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await page.getByRole("cell", { name: "Front desk" }).waitFor();
  await page.getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("cell", { name: /^Revoked/ }).waitFor();
  const refused = await context.request.post(`${program().origin}/usg/v1/predict`, {
    headers: { "x-api-key": key },
    data: body,
  });
  expect(refused.status()).toBe(403);
});

test("shows the local service's address, authority for export, and requests without patient data", async ({ page }) => {
  await openSettings(page, "Local service");
  await page.getByText(program().origin).waitFor();
  const download = await downloadBy(page, () => page.getByRole("button", { name: "Save certificate" }).click());
  expect(download.suggestedFilename()).toMatch(/\.(pem|crt)$/);
  await page.getByRole("cell", { name: "POST /usg/v1/predict" }).first().waitFor();
  expect(await page.locator("main").innerText()).not.toContain("sommer-1");
});

test("shows state, figures and card of packs, with one notice that they are not validated", async ({ page }) => {
  await openSettings(page, "Model packs");
  const packs = page.locator(".pack");
  await packs.first().waitFor();
  expect(await packs.count()).toBe((await ask(page, "packs.list", {})).packs.length);
  const notice = page.getByText("Not clinically validated", { exact: true });
  expect(await notice.filter({ visible: true }).count()).toBe(1);
  await page
    .locator(".pack", { has: page.getByRole("button", { name: "Model card", disabled: false }) })
    .first()
    .getByRole("button", { name: "Model card" })
    .click();
  expect((await page.getByRole("dialog").locator("pre").innerText()).length).toBeGreaterThan(100);
  await page.keyboard.press("Escape");
});

test("adds a publisher by its public key, shows its fingerprint, and removes it", async ({ page }) => {
  await openSettings(page, "Model packs");
  const publishers = page.getByRole("region", { name: "Trusted publishers" });
  await publishers.getByText("No publisher added").waitFor();
  await page.locator(".pack").first().getByText("Unsigned").waitFor();
  await publishers.getByLabel("Name of the publisher").fill("Example Ltd");
  await publishers.getByLabel("Public key").fill("no key");
  await publishers.getByRole("button", { name: "Add publisher" }).click();
  await page.getByText("This is not an Ed25519 public key").first().waitFor();
  const { publicKey } = generateKeyPairSync("ed25519");
  await publishers.getByLabel("Public key").fill(publicKey.export({ type: "spki", format: "pem" }).toString());
  // By keyboard, as the message of the failure may lie over the button.
  await publishers.getByRole("button", { name: "Add publisher" }).press("Enter");
  await publishers.getByText(/Example Ltd ([0-9A-F]{2}:){31}[0-9A-F]{2}/).waitFor();
  await publishers.getByRole("button", { name: "Remove Example Ltd" }).press("Enter");
  await publishers.getByText("No publisher added").waitFor();
});

test("shows the progress of a backup, and leaves none when cancelled", async ({ page }) => {
  await openSettings(page, "Data and backups");
  await page.getByRole("heading", { name: "Backups" }).waitFor();
  const before = (await ask(page, "backups.list", {})).backups;
  // The response is held until the page has requested the cancellation, as a small store is copied in a moment.
  let release = () => {};
  const cancelled = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/app/call/backups.make", async (route) => {
    await cancelled;
    await route.fulfill({
      json: { ok: false, code: "ABORTED", message: "The backup was stopped and left no file" },
    });
  });
  await page.route("**/app/call/backups.cancel", async (route) => {
    await route.continue();
    release();
  });
  await page.getByRole("button", { name: "Back up now" }).click();
  await page.getByRole("progressbar", { name: "Copying…" }).waitFor();
  expect(await page.getByRole("button", { name: "Back up now" }).isDisabled()).toBe(true);
  await page.keyboard.press("Alt+6");
  await page.keyboard.press("Alt+7");
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("progressbar").waitFor({ state: "detached" });
  expect([
    await page.locator(".toast", { hasText: "backup" }).count(),
    (await ask(page, "backups.list", {})).backups,
  ]).toEqual([0, before]);
  await page.unroute("**/app/call/backups.make");
  await page.unroute("**/app/call/backups.cancel");
});

test("makes a backup and plans its restoration at the next start, which can be cancelled", async ({ page }) => {
  await openSettings(page, "Data and backups");
  const rows = page.getByRole("row");
  await rows.first().waitFor();
  const before = await rows.count();
  await page.getByRole("button", { name: "Back up now" }).click();
  await expect.poll(() => rows.count()).toBe(before + 1);
  await rows.nth(1).getByRole("button", { name: "Restore" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Restore" }).click();
  const planned = page.getByText("Corvet restores the backup of");
  await planned.waitFor();
  await page.getByRole("tab", { name: "About" }).click();
  await page.getByRole("tab", { name: "Data and backups" }).click();
  await planned.waitFor();
  await page.getByRole("button", { name: "Keep the current data" }).click();
  await planned.waitFor({ state: "detached" });
});

test("finds the tab of a setting by search", async ({ page }) => {
  await page.keyboard.press("Alt+7");
  const search = page.getByLabel("Search settings");
  await search.fill("host names");
  await expect.poll(() => page.getByRole("tab").allInnerTexts()).toEqual(["Local service\nAdditional host names"]);
  await search.press("Enter");
  await page.getByRole("textbox", { name: "Additional host names" }).waitFor();
  await search.fill("no such setting");
  await page.getByText("Nothing found").waitFor();
  await search.fill("");
  await expect.poll(() => page.getByRole("tab").count()).toBe(11);
});

test("lists version, libraries and limits under About", async ({ page }) => {
  await openSettings(page, "About");
  const about = await ask(page, "app.about", {});
  await page.getByText(`Version ${about.programVersion}`).waitFor();
  await page.getByText("It does not diagnose").waitFor();
  await page.getByRole("cell", { name: "react", exact: true }).waitFor();
});

test("lists shortcuts with ?, changes them, and rejects assigned ones", async ({ page }) => {
  await page.keyboard.press("Alt+1");
  await page.keyboard.press("?");
  const list = page.getByRole("dialog", { name: "Keyboard and mouse" });
  await list.getByRole("button", { name: "Keys for Magnifier" }).click();
  // Ends the wait for the magnifier's keys.
  await list.getByRole("button", { name: "Keys for Invert" }).click();
  await page.keyboard.press("f");
  const taken = list.getByText("F is already used for “Fit to window”");
  await taken.waitFor();
  // The message stays in view while the list is scrolled.
  await list.getByRole("button", { name: "Keys for Manual" }).scrollIntoViewIfNeeded();
  expect(await isUncovered(taken)).toBe(true);
  // A row that waits for a key handles Escape; the rejection is not shown again when the list is reopened.
  await list.getByRole("button", { name: "Keys for Invert" }).click();
  await page.keyboard.press("Escape");
  await list.getByRole("button", { name: "Keys for Invert", pressed: false }).waitFor();
  await page.keyboard.press("Escape");
  await list.waitFor({ state: "detached" });
  await page.keyboard.press("?");
  await list.waitFor();
  expect(await taken.count()).toBe(0);
  await list.getByRole("button", { name: "Keys for Invert" }).click();
  await page.keyboard.press("7");
  await expect.poll(() => list.getByRole("button", { name: "Keys for Invert" }).innerText()).toBe("7");
  await page.keyboard.press("Escape");
  await list.waitFor({ state: "detached" });
  await page.reload();
  await page.getByTestId("marks").waitFor();
  await page.keyboard.press("7");
  await page.getByRole("button", { name: "Invert", pressed: true }).waitFor();
  await page.keyboard.press("7");
  await ask(page, "settings.save", { shortcuts: {} });
});

test("leaves no English text on any screen in German", async ({ page }) => {
  await setLanguage(page, "de");
  const english =
    /\b(Settings|Ledger|Films|Search|Save|Accept|Reject|Correct|Findings|Signed|Review|Reference|Long axis|Spread|Window|Choose|Screen|Camera|Usage|Events|Language|Theme|Version of|Licence|Loading|Not clinically)\b/;
  for (const place of ["Alt+1", "Alt+2", "Alt+3", "Alt+4", "Alt+6", "Alt+7", "Alt+5"] as const) {
    await goTo(page, place);
    const words = await page.locator("body").innerText();
    expect(english.exec(words)?.[0] ?? "nothing").toBe("nothing");
  }
  await setLanguage(page, "en");
});

test("lists backups while they are being checked", async ({ page }) => {
  await page.keyboard.press("Alt+1");
  const release = await hold(page, "backups.listDamaged");
  await page.reload();
  await page.locator(".rail").waitFor();
  await openSettings(page, "Data and backups");
  await page.getByRole("cell", { name: "Being checked…" }).first().waitFor();
  release();
  await page.getByRole("cell", { name: "Intact" }).first().waitFor();
});
