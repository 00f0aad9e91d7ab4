import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { openStore } from "../../../main/store/database.ts";
import { openRecordedProgram } from "../../end-to-end/open-program.ts";
import { phantom } from "../../end-to-end/program.ts";
import { runCommand } from "../../fixtures/process/corvet-command.ts";
import { folderForEach } from "../../fixtures/folders.ts";

const root = folderForEach();
const dataDir = () => path.join(root(), "data");
const inbox = () => path.join(root(), "in");
const outbox = () => path.join(root(), "out");

beforeEach(async () => {
  for (const folder of [inbox(), outbox()]) mkdirSync(folder);
  await (await openStore(dataDir())).destroy();
});

const folders = (...args: string[]) => runCommand("folders", ...args, "--data-dir", dataDir());
const listed = async () => JSON.parse((await folders("list")).stdout) as unknown;

test("starts and stops watching folders and writing results, and prints the settings after each change", async () => {
  const watching = {
    folders: [{ path: inbox(), afterwards: "move" }],
    outbox: outbox(),
    formats: ["json", "hl7"],
    allFilmsSince: null,
  };
  expect(await folders("watch", inbox(), "--move")).toMatchObject({ status: 0, stderr: "" });
  expect(JSON.parse((await folders("outbox", outbox(), "--formats", "json,hl7")).stdout)).toEqual(watching);
  expect(await listed()).toEqual(watching);
  const startMs = Date.now();
  const forAll = JSON.parse((await folders("outbox", outbox(), "--all-films")).stdout) as { allFilmsSince: string };
  expect(Date.parse(forAll.allFilmsSince)).toBeGreaterThanOrEqual(startMs);
  await folders("watch", inbox());
  await folders("outbox", "off");
  expect(await listed()).toEqual({ ...watching, folders: [{ path: inbox(), afterwards: "leave" }], outbox: null });
  await folders("leave", inbox());
  expect(await listed()).toEqual({ ...watching, folders: [], outbox: null });
});

test("rejects invalid arguments, and warns about an unreachable folder", async () => {
  expect(await folders()).toMatchObject({ status: 2, stdout: "" });
  expect(await folders("watch")).toMatchObject({ status: 2, stdout: "" });
  expect(await folders("watch", inbox(), outbox())).toMatchObject({ status: 2, stdout: "" });
  expect((await folders("outbox", outbox(), "--formats", "xml")).stderr).toContain("--formats are json, csv, pdf, hl7");
  expect(await folders("leave", inbox())).toMatchObject({ status: 1, stderr: `folders: ${inbox()} is not watched.\n` });
  expect(await folders("watch", dataDir())).toMatchObject({ status: 1, stdout: "" });
  const away = path.join(root(), "away");
  expect(await folders("watch", away)).toMatchObject({
    status: 0,
    stderr: `folders: ${away} does not exist; its files stay pending until it can be used\n`,
  });
});

test("applies changes to the running service, which imports new files", async () => {
  const service = await openRecordedProgram({ dataDir: dataDir(), port: 0, pollMs: 100 });
  try {
    await folders("watch", inbox(), "--move");
    await folders("outbox", outbox(), "--formats", "json");
    copyFileSync(phantom("dog-02.jpg"), path.join(inbox(), "bella.jpg"));
    const results = () => readdirSync(outbox()).filter((name) => name.endsWith(".json"));
    await expect.poll(results).toHaveLength(1);
    await expect.poll(() => existsSync(path.join(inbox(), "done", "bella.jpg"))).toBe(true);
    expect(JSON.parse(readFileSync(path.join(outbox(), results()[0]!), "utf8"))).toMatchObject({
      file: "bella.jpg",
      vhs: expect.any(Number) as number,
      version: 1,
      isClinicallyValidated: "false",
    });
  } finally {
    await service.close();
  }
});

test("sets, lists and turns off a receiver of HL7 messages", async () => {
  const { status, stdout } = await folders("mllp", "practice.local:2575", "--all");
  expect([status, JSON.parse(stdout)]).toMatchObject([
    0,
    { isOn: true, host: "practice.local", port: 2575, results: "all" },
  ]);
  expect(await listed()).toMatchObject({ mllp: "practice.local:2575" });
  expect(await folders("mllp", "practice.local")).toMatchObject({ status: 2, stdout: "" });
  await folders("mllp", "off");
  expect(await listed()).not.toHaveProperty("mllp");
});
