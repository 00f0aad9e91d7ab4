import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { freePort } from "../../../main/dicom/network/dcmtk.ts";
import { because } from "../../../../core/app-error.ts";
import { answer, ask } from "../../program.ts";
import type { Camera } from "../camera.ts";
import { withProgram } from "./with-program.ts";

export async function roomOfSettings(camera: Camera): Promise<void> {
  process.env["CORVET_KEYS_DIR"] = mkdtempSync(path.join(tmpdir(), "corvet-keys-"));
  await withProgram(camera, {}, async (page) => {
    await page.keyboard.press("Alt+7");
    await page.getByRole("tab", { name: "About" }).waitFor();
    const tabs = await page.getByRole("tab").allInnerTexts();
    for (const tab of tabs) {
      await page.getByRole("tab", { name: tab, exact: true }).click();
      await page.locator(".settings-content .spinner").first().waitFor({ state: "detached" });
      await camera.take(page, `settings-${tab.replaceAll(" ", "-").toLowerCase()}`);
    }
    await page.getByLabel("Search settings").fill("port");
    await camera.take(page, "settings-search");
    await page.getByLabel("Search settings").fill("");
    await dicom(camera, page);
    await folders(camera, page);
    await practice(camera, page);
    await dialogs(camera, page);
    await updates(camera, page);
    await copies(camera, page);
  });
}

const openTab = (page: Page, name: string) => page.getByRole("tab", { name, exact: true }).click();

/** Takes the top and the end of a page that is longer than the window. */
async function takeToTheEnd(camera: Camera, page: Page, name: string): Promise<void> {
  await camera.take(page, name);
  await camera.take(page, `${name}-end`, {
    before: () =>
      page.evaluate(() => {
        for (const pane of document.querySelectorAll("*"))
          if (pane.scrollHeight > pane.clientHeight && getComputedStyle(pane).overflowY === "auto")
            pane.scrollTop = pane.scrollHeight;
      }),
  });
}

async function dicom(camera: Camera, page: Page): Promise<void> {
  const port = await freePort();
  await ask(page, "dicom.saveNode", { nodeId: null, name: "PACS", host: "pacs.local", port: 104, aeTitle: "PACS" });
  await ask(page, "dicom.configure", { isOn: true, port, bind: "practice-network" });
  await page.keyboard.press("Alt+1");
  await page.keyboard.press("Alt+7");
  await openTab(page, "DICOM");
  await page.getByRole("button", { name: "Create a certificate" }).click();
  await page.getByLabel("Enter this in other systems").waitFor();
  await takeToTheEnd(camera, page, "settings-dicom-in-use");
  await practiceCertificate(camera, page);
  await page.getByRole("button", { name: "Add a destination…" }).click();
  await camera.take(page, "settings-dicom-node");
  await page.getByRole("dialog").getByLabel("Type").selectOption("web");
  await page.getByRole("dialog").getByLabel("Sign-in").selectOption("basic");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await camera.take(page, "settings-dicom-web-node");
  await page.keyboard.press("Escape");
}

async function practiceCertificate(camera: Camera, page: Page): Promise<void> {
  await page.getByRole("button", { name: "Use the practice’s own…" }).click();
  const dialog = page.getByRole("dialog");
  await camera.take(page, "settings-certificate");
  await dialog.getByLabel("PEM").fill("none");
  await camera.take(page, "settings-certificate-refused", {
    enter: async () => {
      await dialog.locator(".dialog-foot .primary").click();
      await dialog.locator(".toast").waitFor();
    },
    leave: async () => {
      await dialog.locator(".toast").getByRole("button").click();
      await dialog.locator(".toast").waitFor({ state: "detached" });
    },
  });
  await page.keyboard.press("Escape");
}

async function folders(camera: Camera, page: Page): Promise<void> {
  await openTab(page, "Folders");
  await page.getByRole("button", { name: "Add a folder" }).click();
  const card = page.locator("section").filter({ hasText: "Results over the network" });
  await card.getByRole("switch", { name: "Send results as HL7 messages" }).click();
  await card.getByLabel("Host name or IP address").fill("127.0.0.1");
  await takeToTheEnd(camera, page, "settings-folders-in-use");
}

async function practice(camera: Camera, page: Page): Promise<void> {
  await openTab(page, "Database");
  await page.getByLabel("Paste an address").fill("postgres://vet:secret@127.0.0.1:1/practice");
  await page.getByLabel("Paste an address").blur();
  await page.getByRole("button", { name: "Test connection" }).click();
  await page.getByText(/^No response at this port/).waitFor();
  await takeToTheEnd(camera, page, "settings-practice-tested");
  const state = await ask(page, "database.get", {});
  const at = { seenAt: new Date().toISOString(), programVersion: "1.0.0" };
  const machines = [
    { id: "1", name: "Reception", isThis: true, isAtWork: true, ...at },
    { id: "2", name: "X-ray room", isThis: false, isAtWork: false, ...at },
  ];
  await answer(page, "database.get", { ...state, place: "practice at db.local:5432", namedBy: "settings", machines });
  await openTab(page, "Users");
  await openTab(page, "Database");
  await page.getByText("X-ray room").waitFor();
  await takeToTheEnd(camera, page, "settings-practice-database");
  await page.unroute("**/app/call/database.get");
}

const release = { version: "1.1.0", releasedAt: "2026-11-20T08:00:00.000Z", changes: "Films open faster." };

async function updates(camera: Camera, page: Page): Promise<void> {
  const state = { ...(await ask(page, "updates.get", {})), whyNot: null, feed: "https://updates.local" };
  const ready = { ...release, isOlder: false, migrates: true, waitsForOwner: false };
  const failure = { code: "UPDATE_REFUSED", message: "", reason: because("updateUnsigned") };
  for (const [name, changed] of [
    ["fetching", { phase: "fetching", fetched: 0.42 }],
    ["ready", { phase: "ready", release: ready }],
    ["waits", { phase: "ready", release: ready, outcome: { kind: "wait", reason: "under_way" } }],
    ["refused", { outcome: { kind: "failed", failure } }],
  ] as const) {
    await answer(page, "updates.get", { ...state, ...changed });
    await openTab(page, "General");
    await openTab(page, "About");
    await page.getByTestId("updates").getByRole("switch").waitFor();
    await camera.take(page, `settings-update-${name}`);
  }
  await page.unroute("**/app/call/updates.get");
}

async function dialogs(camera: Camera, page: Page): Promise<void> {
  await openTab(page, "Model packs");
  await page.getByRole("button", { name: "Model card", disabled: false }).first().click();
  await page.getByRole("dialog").waitFor();
  await camera.take(page, "settings-model-card");
  await page.keyboard.press("Escape");
  await openTab(page, "Reference ranges");
  await takeToTheEnd(camera, page, "settings-ranges");
  await openTab(page, "About");
  await takeToTheEnd(camera, page, "settings-about");
}

async function copies(camera: Camera, page: Page): Promise<void> {
  await openTab(page, "Data and backups");
  await page.getByRole("button", { name: "Back up now" }).click();
  await page.getByRole("row").nth(1).waitFor();
  await takeToTheEnd(camera, page, "settings-backups-in-use");
  await page.getByRole("row").nth(1).getByRole("button", { name: "Verify" }).click();
  await camera.take(page, "settings-backup-drill");
  await page.getByRole("row").nth(1).getByRole("button", { name: "Restore" }).click();
  await camera.take(page, "settings-restore");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Encrypt", exact: true }).click();
  await camera.take(page, "settings-encrypt");
  await page.getByRole("alertdialog").getByRole("button", { name: "Encrypt", exact: true }).click();
  await page.getByText(/(?:[0-9A-Z]{4}-){13}[0-9A-Z]{4}/).waitFor();
  await camera.take(page, "settings-recovery-key");
  await answer(page, "backups.list", { backups: [] });
}
