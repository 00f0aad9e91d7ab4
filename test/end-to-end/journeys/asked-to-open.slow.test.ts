import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
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
const shown = { status: 0, stdout: "Corvet shows it.\n", stderr: "" };
const names = async () => (await ask(window().page, "films.list", {})).films.map(({ fileName }) => fileName).sort();

test("a number brings the patient up, also while another one's film is open", async () => {
  const { page } = window();
  const nala = { name: "Nala", species: "dog", breed: "", owner: "B. Roth", uuid: "P-4712" } as const;
  await ask(page, "patients.create", { ...nala, microchip: "276 098 106 000 001" });
  expect(await open("--number", "P-4712")).toEqual(shown);
  await page.getByRole("heading", { name: "Nala" }).waitFor();
  await page.keyboard.press("Alt+1");
  expect(await open("corvet://open?microchip=276098106000001")).toEqual(shown);
  await page.getByRole("heading", { name: "Nala" }).waitFor();
});

test("a link that means several patients shows them, from wherever it is followed", async () => {
  const { page } = window();
  const twin = { species: "dog", breed: "", owner: "B. Roth", uuid: null, microchip: "276098106000002" } as const;
  for (const name of ["Castor", "Pollux"]) await ask(page, "patients.create", { ...twin, name });
  await page.keyboard.press("Alt+1");
  expect(await open("corvet://open?microchip=276098106000002")).toEqual(shown);
  const found = page.getByRole("region", { name: "Patients" }).locator(".patient-row");
  await expect.poll(async () => (await found.allInnerTexts()).map((words) => words.split("\n")[0])).toHaveLength(2);
  expect(await open("--number", "P-4712")).toEqual(shown);
  await page.getByRole("heading", { name: "Nala" }).waitFor();
});

test("a field of the settings is saved when a link leads away from it", async () => {
  const { page } = window();
  await page.keyboard.press("Alt+7");
  await page.getByLabel("Clinic", { exact: true }).fill("Sommer clinic");
  expect(await open("--number", "P-4712")).toEqual(shown);
  await page.getByRole("heading", { name: "Nala" }).waitFor();
  await expect.poll(async () => (await ask(page, "settings.get", {})).clinicName).toBe("Sommer clinic");
});

test("a missing target is reported in the page and by the command, and the page does not change", async () => {
  const { page } = window();
  const answer = await open("corvet://open?number=P-0");
  expect(answer).toEqual({ status: 1, stdout: "", stderr: "open: Corvet has nothing under P-0\n" });
  await page.getByText("Corvet has nothing under P-0").first().waitFor();
  await page.getByRole("heading", { name: "Nala" }).waitFor();
});

test("a film that a command line names is opened at once", async () => {
  const { page } = window();
  expect(await open(phantom("dog-05.jpg"))).toEqual(shown);
  await page.getByRole("region", { name: "Worklist" }).waitFor();
  await page.locator(".viewer").getByText("dog-05.jpg").first().waitFor();
});

test("a link to a film asks first; no opens nothing, yes opens it, and a file elsewhere is refused", async () => {
  const { page } = window();
  mkdirSync(inbox);
  const file = path.join(inbox, "dog-06.jpg");
  const link = `corvet://open?file=${encodeURIComponent(file)}`;
  expect(await open(link)).toMatchObject({ status: 1, stderr: expect.stringContaining("outside the watched folders") });
  await ask(page, "folders.save", { folders: [{ path: inbox, afterwards: "leave" }], outbox: null, formats: [] });
  copyFileSync(phantom("dog-06.jpg"), path.join(inbox, ".dog-06.jpg.part"));
  // A name that is left alone, so that only the link opens it.
  const hidden = `corvet://open?file=${encodeURIComponent(path.join(inbox, ".dog-06.jpg.part"))}`;
  const before = await names();
  const question = page.getByRole("alertdialog", { name: "Open this film?" });
  expect(await open(hidden)).toEqual(shown);
  await question.getByText(".dog-06.jpg.part").waitFor();
  await question.getByRole("button", { name: "Cancel" }).click();
  await question.waitFor({ state: "hidden" });
  expect(await names()).toEqual(before);
  expect(await open(hidden)).toEqual(shown);
  await question.getByRole("button", { name: "Open film" }).click();
  await expect.poll(names).toHaveLength(before.length + 1);
});

test("without an open page it waits, and the command prints the address of the page", async () => {
  await window().page.goto("about:blank");
  await expect
    .poll(async () => (await open("--number", "P-4712")).stdout)
    .toMatch(/^It waits for Corvet's page: https:.*#t=/);
  await window().page.goto(program().origin);
  await window().page.getByRole("heading", { name: "Nala" }).waitFor();
});
