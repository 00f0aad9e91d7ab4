import path from "node:path";
import { expect, it } from "vitest";
import { programDir } from "../../../main/program.ts";
import { folderForTest } from "../../fixtures/folders.ts";
import { runCommand } from "../../fixtures/process/corvet-command.ts";

async function run(...args: readonly string[]) {
  const node = args.includes("--node") ? [] : ["--node", "127.0.0.1:1:PACS"];
  const { status, stderr } = await runCommand("pacs", ...args, ...node);
  return [status, stderr.split("\n")[0]];
}

it("rejects extra arguments and invalid ports before connecting", async () => {
  expect(await run("find", "Rex")).toEqual([2, expect.stringContaining("pacs: too many arguments")]);
  const fetch = ["fetch", "--study", "1.2", "--into", "unused"];
  for (const port of ["abc", "0", "70000"])
    expect(await run(...fetch, "--receive", port)).toEqual([
      2,
      `pacs: option '--receive <port>' argument '${port}' is invalid. It must be a whole number from 1 to 65535.`,
    ]);
});

it("reports a missing file, a file without a certificate, and a certificate without its key", async () => {
  expect(await run("find", "--tls", "--ca", "package.json")).toEqual([
    2,
    "pacs: --ca: there is no certificate (PEM) in package.json",
  ]);
  expect(await run("find", "--tls", "--ca", "missing.pem")).toEqual([
    1,
    `pacs: ${path.join(programDir, "missing.pem")} does not exist`,
  ]);
  expect(await run("find", "--tls", "--ca", "test")).toEqual([1, "pacs: a folder was given instead of a file"]);
  const refused = "pacs: Enter a certificate and its matching key, both as PEM";
  expect(await run("find", "--tls", "--certificate", "package.json")).toEqual([1, refused]);
});

it("rejects a port without TLS for an encrypted node, and a port for DICOMweb, before connecting", async () => {
  const fetch = ["fetch", "--study", "1.2", "--into", folderForTest(), "--receive", "11113"];
  expect(await run(...fetch, "--tls")).toEqual([
    2,
    "pacs: --receive with --tls needs --certificate, or the port would not be encrypted",
  ]);
  expect(await run(...fetch, "--node", "https://127.0.0.1:1/dicom-web")).toEqual([
    2,
    "pacs: --receive needs HOST:PORT:TITLE",
  ]);
});
