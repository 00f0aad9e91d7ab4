import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { folderForFile } from "../../fixtures/folders.ts";
import {
  sendToRunningProgram,
  readFilmFile,
  type RunningProgramRequest,
} from "../../../main/send-to-running-program.ts";
import { createPatient, goTo } from "../actions.ts";
import { openBella } from "../prepared.ts";
import { startJourney } from "../journey.ts";
import { ask, phantom } from "../program.ts";

const inbox = path.join(folderForFile(), "Inbox");
const { program, window, test } = startJourney((page) => openBella(page, 1));

/** Runs the command without blocking this process, which also runs the program. */
function open(...args: string[]): Promise<{ status: unknown; stdout: string; stderr: string }> {
  const all = ["main/commands/corvet.ts", "open", ...args, "--data-dir", program().dataDir];
  return new Promise((resolve) =>
    execFile(process.execPath, all, (error, stdout, stderr) => resolve({ status: error?.code ?? 0, stdout, stderr })),
  );
}
/** Sends the request of the command without starting a process. */
async function show(handed: RunningProgramRequest): Promise<void> {
  expect(await sendToRunningProgram(program().dataDir, handed)).toMatchObject({ isPageOpen: true });
}
const nala = { link: "corvet://open?number=P-4712" };
const names = async () => (await ask(window().page, "films.list", {})).films.map(({ fileName }) => fileName).sort();

test("shows a patient by number, even while another patient's film is open", async ({ page }) => {
  await createPatient(page, "Nala", { owner: "B. Roth", uuid: "P-4712" });
  expect(await open("--number", "P-4712")).toEqual({ status: 0, stdout: "Corvet shows it.\n", stderr: "" });
  await page.getByRole("heading", { name: "Nala" }).waitFor();
  await goTo(page, "Alt+1");
  await show(nala);
  await page.getByRole("heading", { name: "Nala" }).waitFor();
});

test("lists all patients matched by a link, on any screen", async ({ page }) => {
  for (const name of ["Castor", "Pollux"])
    await createPatient(page, name, { owner: "B. Roth", microchip: "276098106000002" });
  await goTo(page, "Alt+1");
  await show({ link: "corvet://open?microchip=276098106000002" });
  const found = page.getByRole("region", { name: "Patients" }).locator(".patient-row");
  await expect.poll(async () => (await found.allInnerTexts()).map((words) => words.split("\n")[0])).toHaveLength(2);
  // The heading shows Nala already beside the list, so only another screen shows that the link was followed.
  await goTo(page, "Alt+1");
  await show(nala);
  await page.getByRole("heading", { name: "Nala" }).waitFor();
});

test("saves a field of the settings when a link leaves it", async ({ page }) => {
  await page.keyboard.press("Alt+7");
  await page.getByLabel("Practice", { exact: true }).fill("Sommer clinic");
  await show(nala);
  await page.getByRole("heading", { name: "Nala" }).waitFor();
  await expect.poll(async () => (await ask(page, "settings.get", {})).clinicName).toBe("Sommer clinic");
});

test("reports a missing target in the page and by the command, and leaves the page unchanged", async ({ page }) => {
  const answer = await open("corvet://open?number=P-0");
  expect(answer).toEqual({ status: 1, stdout: "", stderr: "open: Corvet found nothing for P-0\n" });
  await page.getByText("Corvet found nothing for P-0").first().waitFor();
  await page.getByRole("heading", { name: "Nala" }).waitFor();
});

test("opens a film named by a command line at once", async ({ page }) => {
  await show(await readFilmFile(phantom("dog-05.jpg")));
  await page.getByRole("region", { name: "Worklist" }).waitFor();
  await page.locator(".viewer").getByText("dog-05.jpg").first().waitFor();
});

test("asks before a link opens a film", async ({ page }) => {
  mkdirSync(inbox);
  await ask(page, "folders.save", { folders: [{ path: inbox, afterwards: "leave" }], outbox: null, formats: [] });
  copyFileSync(phantom("dog-06.jpg"), path.join(inbox, ".dog-06.jpg.part"));
  // Watched folders ignore this name, so only the link opens the file.
  const hidden = { link: `corvet://open?file=${encodeURIComponent(path.join(inbox, ".dog-06.jpg.part"))}` };
  const before = await names();
  const question = page.getByRole("alertdialog", { name: "Open this film?" });
  await show(hidden);
  await question.getByText(".dog-06.jpg.part").waitFor();
  await question.getByRole("button", { name: "Cancel" }).click();
  await question.waitFor({ state: "hidden" });
  expect(await names()).toEqual(before);
  await show(hidden);
  await question.getByRole("button", { name: "Open film" }).click();
  await expect.poll(names).toHaveLength(before.length + 1);
});

test("keeps a request until a page is open, and prints the address of the page", async () => {
  await window().page.goto("about:blank");
  await expect
    .poll(async () => (await open("--number", "P-4712")).stdout)
    .toMatch(/^Open Corvet's page to see it: https:.*#t=/);
  await window().page.goto(program().origin);
  await window().page.getByRole("heading", { name: "Nala" }).waitFor();
});
