// Runs once: it counts rows, as each copy of a store to and from PostgreSQL does.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir, hostname } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { readZip } from "../../../../main/services/import/zip-files.ts";
import { createKey } from "../../../../main/services/calls/keys.ts";
import { runCommand } from "../../../fixtures/process/corvet-command.ts";
import { fetchedExport } from "../../../fixtures/fetched-export.ts";
import { smallPicture } from "../../../fixtures/desktop-bench.ts";
import { openBenchForTest } from "../../../fixtures/use-bench.ts";

const limits = { files: 40, fileBytes: 1e7, totalBytes: 1e8 };

it("contains versions, packs, counts and the latest log, but no personal data", async () => {
  const bench = await openBenchForTest({ start: false });
  const { db } = bench.context;
  const { key } = await createKey(db, {
    accountName: "Klinik Sonnenschein",
    name: "Praxissystem Meier",
    at: new Date(),
  });
  await bench.call("settings.save", {
    userName: "Dr. Gudrun Geheim",
    clinicName: "Tierklinik Verborgen",
    clinicAddress: "Stiller Weg 7\nHinterwald",
    clinicCode: "HINTERW-7",
  });
  await bench.addPatient({ name: "Wuschelbert", owner: "Zottel" });
  await bench.addFile("Wuschelbert-Zottel.png", await smallPicture(1));
  await bench.call("publishers.list", {});
  const logs = path.join(bench.dataDir, "logs");
  mkdirSync(logs, { recursive: true });
  const line = {
    level: 50,
    hostname: hostname(),
    cause: `ENOENT: ${path.join(homedir(), "Desktop", "x.png")} and ${bench.dataDir}/store.db of Dr. Gudrun Geheim with ${key}`,
    msg: "it failed",
  };
  writeFileSync(path.join(logs, "corvet.log"), `${JSON.stringify(line)}\nno json Wuschelbert\n`);
  writeFileSync(path.join(logs, "security.log"), `${JSON.stringify({ security: "key.refused", count: 7 })}\n`);
  const { download } = await bench.call("app.supportBundle", {});
  const { bytes } = await fetchedExport(bench.dataDir, download.url);
  const files = await readZip(bytes, limits);
  expect(files.map(({ name }) => name).sort()).toEqual([
    "counts.json",
    "health.json",
    "logs/corvet.log",
    "logs/security.log",
    "packs.json",
    "settings.json",
    "store.json",
    "versions.json",
  ]);
  const all = files.map((file) => `${file.name}\n${file.bytes.toString("utf8")}`).join("\n");
  for (const there of ["it failed", '"count":7', "landmarks-corvet", '"films": 1', '"programVersion": "0.1.0"'])
    expect(all).toContain(there);
  const planted = [
    "Geheim",
    "Verborgen",
    "Stiller Weg",
    "Hinterwald",
    "HINTERW-7",
    "Wuschelbert",
    "Zottel",
    "Sonnenschein",
    "Meier",
    key,
    bench.dataDir,
    hostname(),
  ];
  for (const personal of planted) expect(all).not.toContain(personal);
  expect(all).not.toContain(path.join(homedir(), "Desktop"));
});

it("is also written by the command line", async () => {
  const bench = await openBenchForTest({ start: false });
  const output = path.join(bench.dataDir, "bundle.zip");
  const printed = await runCommand("support", "--data-dir", bench.dataDir, "--output", output);
  expect(printed).toEqual({ status: 0, stdout: `${output}\n`, stderr: "" });
  const files = await readZip(readFileSync(output), limits);
  expect(files.find(({ name }) => name === "packs.json")?.bytes.toString()).toContain("gate-corvet");
});
