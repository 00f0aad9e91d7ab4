import type { Page } from "playwright-core";
import { openBella } from "../../prepared.ts";
import type { Camera } from "../camera.ts";
import { withProgram } from "./with-program.ts";

const people = [
  ["Dr Sommer", "administrator", "rollo-2241"],
  ["Dr Weber", "veterinarian", "471100"],
  ["Kim Reuter", "assistant", "081500"],
] as const;

export async function roomOfPeople(camera: Camera): Promise<void> {
  await withProgram(camera, {}, async (page) => {
    await openBella(page);
    await page.keyboard.press("Alt+7");
    await page.getByRole("tab", { name: "Users", exact: true }).click();
    for (const [name, role, secret] of people) await add(camera, page, name, role, secret);
    await camera.take(page, "people-list");
    await page.getByRole("button", { name: "Turn sign-in on" }).click();
    await camera.take(page, "people-turn-on");
    await page.getByRole("dialog").getByLabel("PIN or password").fill("rollo-2241");
    await page.getByRole("dialog").getByRole("button", { name: "Turn sign-in on" }).click();
    await page.getByRole("button", { name: "Signed in: Dr Sommer" }).waitFor();
    await camera.take(page, "people-signed-in");
    await page.getByRole("tab", { name: "Audit trail" }).click();
    await page.getByTestId("audit-event").first().waitFor();
    await camera.take(page, "people-audit");
    await page.keyboard.press("u");
    await page.getByRole("dialog", { name: "Switch user" }).waitFor();
    await camera.take(page, "people-switch");
    await page.keyboard.press("Escape");
    // While locked, the page keeps its language, as no user is signed in to change it.
    await camera.take(page, "people-locked", {
      enter: async () => {
        await page.keyboard.press("Shift+L");
        await page.locator(".lock-screen, .sign-in").first().waitFor();
      },
      leave: async () => {
        await page.locator("input[type=password]").fill("rollo-2241");
        await page.keyboard.press("Enter");
        await page.locator(".rail").waitFor();
      },
    });
  });
}

async function add(camera: Camera, page: Page, name: string, role: string, secret: string): Promise<void> {
  await page.getByRole("button", { name: "Add user" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Role").selectOption(role);
  await dialog.getByLabel("PIN or password").fill(secret);
  if (role === "administrator") {
    await dialog.getByLabel("Repeat").fill(secret.slice(1));
    await camera.take(page, "people-add");
  }
  await dialog.getByLabel("Repeat").fill(secret);
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByRole("cell", { name }).waitFor();
}
