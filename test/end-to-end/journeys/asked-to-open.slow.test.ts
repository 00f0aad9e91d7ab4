import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { handOver, readFilmFile, type HandedOver } from "../../../main/hand-over.ts";
import { createPatient } from "../actions.ts";
import { openBella } from "../prepared.ts";
import { startJourney } from "../journey.ts";
import { ask, phantom } from "../program.ts";

const { program, window } = startJourney(openBella);
const inbox = path.join(mkdtempSync(path.join(tmpdir(), "corvet-asked-")), "Inbox");
afterAll(() => rmSync(path.dirname(inbox), { recursive: true, force: true }));

/** The program answers from this process, so it must not be blocked. */
function open(...args: string[]): Promise<{ status: unknown; stdout: string; stderr: string }> {
  const all = ["main/commands/corvet.ts", "open", ...args, "--data-dir", program().dataDir];
  return new Promise((resolve) =>
    execFile(process.execPath, all, (error, stdout, stderr) => resolve({ status: error?.code ?? 0, stdout, stderr })),
  );
}
/** Hands over what the command does, without a process of its own. */
async function show(handed: HandedOver): Promise<void> {
  expect(await handOver(program().dataDir, handed)).toMatchObject({ isPageOpen: true });
}
const nala = { link: "corvet://open?number=P-4712" };
const names = async () => (await ask(window().page, "films.list", {})).films.map(({ fileName }) => fileName).sort();

test("a number brings the patient up, also while another one's film is open", async () => {
  const { page } = window();
  await createPatient(page, "Nala", { owner: "B. Roth", uuid: "P-4712", microchip: "276 098 106 000 001" });
  expect(await open("--number", "P-4712")).toEqual({ status: 0, stdout: "Corvet shows it.\n", stderr: "" });
  await page.getByRole("heading", { name: "Nala" }).waitFor();
  await page.keyboard.press("Alt+1");
  await show({ link: "corvet://open?microchip=276098106000001" });
  await page.getByRole("heading", { name: "Nala" }).waitFor();
});

test("a link that means several patients shows them, from wherever it is followed", async () => {
  const { page } = window();
  for (const name of ["Castor", "Pollux"])
    await createPatient(page, name, { owner: "B. Roth", microchip: "276098106000002" });
  await page.keyboard.press("Alt+1");
  await show({ link: "corvet://open?microchip=276098106000002" });
  const found = page.getByRole("region", { name: "Patients" }).locator(".patient-row");
  await expect.poll(async () => (await found.allInnerTexts()).map((words) => words.split("\n")[0])).toHaveLength(2);
  await show(nala);
  await page.getByRole("heading", { name: "Nala" }).waitFor();
});

test("a field of the settings is saved when a link leads away from it", async () => {
  const { page } = window();
  await page.keyboard.press("Alt+7");
  await page.getByLabel("Practice", { exact: true }).fill("Sommer clinic");
  await show(nala);
  await page.getByRole("heading", { name: "Nala" }).waitFor();
  await expect.poll(async () => (await ask(page, "settings.get", {})).clinicName).toBe("Sommer clinic");
});

test("a missing target is reported in the page and by the command, and the page does not change", async () => {
  const { page } = window();
  const answer = await open("corvet://open?number=P-0");
  expect(answer).toEqual({ status: 1, stdout: "", stderr: "open: Corvet found nothing for P-0\n" });
  await page.getByText("Corvet found nothing for P-0").first().waitFor();
  await page.getByRole("heading", { name: "Nala" }).waitFor();
});

test("a film that a command line names is opened at once", async () => {
  const { page } = window();
  await show(await readFilmFile(phantom("dog-05.jpg")));
  await page.getByRole("region", { name: "Worklist" }).waitFor();
  await page.locator(".viewer").getByText("dog-05.jpg").first().waitFor();
});

test("a link to a film asks first; no opens nothing, yes opens it, and a file elsewhere is refused", async () => {
  const { page } = window();
  mkdirSync(inbox);
  const file = path.join(inbox, "dog-06.jpg");
  const link = `corvet://open?file=${encodeURIComponent(file)}`;
  await expect(show({ link })).rejects.toThrow("outside the watched folders");
  await ask(page, "folders.save", { folders: [{ path: inbox, afterwards: "leave" }], outbox: null, formats: [] });
  copyFileSync(phantom("dog-06.jpg"), path.join(inbox, ".dog-06.jpg.part"));
  // A name that is left alone, so that only the link opens it.
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

test("without an open page it waits, and the command prints the address of the page", async () => {
  await window().page.goto("about:blank");
  await expect
    .poll(async () => (await open("--number", "P-4712")).stdout)
    .toMatch(/^Open Corvet's page to see it: https:.*#t=/);
  await window().page.goto(program().origin);
  await window().page.getByRole("heading", { name: "Nala" }).waitFor();
});
