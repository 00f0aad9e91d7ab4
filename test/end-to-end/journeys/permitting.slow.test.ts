import { expect } from "vitest";
import { folderForFile } from "../../fixtures/folders.ts";
import { startJourney } from "../journey.ts";
import { openProgram } from "../open-program.ts";
import { ask } from "../program.ts";

const packsDir = folderForFile();
const { program, window, test } = startJourney(
  async (page) => {
    for (const [name, role] of [
      ["Dr Weber", "administrator"],
      ["Kim Reuter", "assistant"],
    ] as const)
      await ask(page, "people.add", { name, role, secret: "4711" });
  },
  () => openProgram({ packsDir }),
);

const signIn = async (name: string) => {
  const { page } = window();
  const person = (await ask(page, "session.get", {})).people.find((each) => each.name === name)!;
  await ask(page, "session.signIn", { personId: person.id, secret: "4711" });
  await page.getByRole("button", { name: `Signed in: ${name}` }).waitFor();
};

test("links an administrator to the packs, and keeps the ledger open behind the lock", async ({ page }) => {
  const { people } = await ask(page, "people.list", {});
  await ask(page, "people.turnOn", {
    personId: people.find(({ role }) => role === "administrator")!.id,
    secret: "4711",
  });
  await page.getByRole("button", { name: "Signed in: Dr Weber" }).waitFor();
  await page.getByRole("button", { name: "Open model packs" }).waitFor();
  await page.keyboard.press("Alt+6");
  await page.getByRole("heading", { name: "Ledger" }).waitFor();
  await page.keyboard.press("Shift+L");
  await page.getByRole("heading", { name: "Who is signing in?" }).waitFor();
  await signIn("Dr Weber");
  await page.getByRole("heading", { name: "Ledger" }).waitFor();
});

test("leads an assistant from another user's ledger to the films, and does not open it from the menu", async ({
  page,
}) => {
  await signIn("Kim Reuter");
  await page.getByRole("region", { name: "Worklist" }).waitFor();
  program().corvet.desktop.context.publish({ name: "menu.command", payload: { command: "open-patients" } });
  await page.getByRole("region", { name: "Patients" }).waitFor();
  program().corvet.desktop.context.publish({ name: "menu.command", payload: { command: "open-ledger" } });
  program().corvet.desktop.context.publish({ name: "menu.command", payload: { command: "show-help" } });
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("region", { name: "Patients" }).waitFor();
});

test("shows an assistant who can set up missing parts", async ({ page }) => {
  const words = "An administrator can set this up.";
  await page.keyboard.press("Alt+1");
  await page.getByText("No model pack is loaded.").waitFor();
  await page.getByText(words).waitFor();
  for (const keys of ["Alt+3", "Alt+4"]) {
    await page.keyboard.press(keys);
    await page.locator(".empty").getByText(words).waitFor();
  }
  await page.keyboard.press("Alt+1");
  expect(await page.getByRole("button", { name: "Open model packs" }).count()).toBe(0);
});
