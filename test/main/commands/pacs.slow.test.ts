import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, it } from "vitest";
import { programDir } from "../../../main/program.ts";

function run(...args: readonly string[]) {
  const file = path.join(programDir, "main/commands/corvet.ts");
  const node = args.includes("--node") ? [] : ["--node", "127.0.0.1:1:PACS"];
  const { status, stderr } = spawnSync(process.execPath, [file, "pacs", ...args, ...node], {
    cwd: programDir,
    encoding: "utf8",
  });
  return [status, stderr.split("\n")[0]];
}

it("rejects extra arguments and wrong ports before it connects", () => {
  expect(run("find", "Rex")).toEqual([2, expect.stringContaining("pacs: too many arguments")]);
  const fetch = ["fetch", "--study", "1.2", "--into", "unused"];
  for (const port of ["abc", "0", "70000"])
    expect(run(...fetch, "--receive", port)).toEqual([
      2,
      `pacs: option '--receive <port>' argument '${port}' is invalid. It must be a whole number from 1 to 65535.`,
    ]);
});

it("names a missing file, a file without a certificate, and one without its key", () => {
  expect(run("find", "--tls", "--ca", "package.json")).toEqual([
    2,
    "pacs: --ca: there is no certificate (PEM) in package.json",
  ]);
  expect(run("find", "--tls", "--ca", "missing.pem")).toEqual([
    1,
    `pacs: ${path.join(programDir, "missing.pem")} does not exist`,
  ]);
  expect(run("find", "--tls", "--ca", "test")).toEqual([1, "pacs: a folder is named in place of a file"]);
  const refused = "pacs: Give a certificate and the key that belongs to it, both as PEM";
  expect(run("find", "--tls", "--certificate", "package.json")).toEqual([1, refused]);
});

it("refuses before it sends: a port without TLS for an encrypted node, storage commitment by DICOMweb", () => {
  expect(run("send", "--tls", "--commit", "--receive", "11113", "package.json")).toEqual([
    2,
    "pacs: --receive with --tls needs --certificate, or the port would not be encrypted",
  ]);
  expect(run("send", "--commit", "--node", "https://127.0.0.1:1/dicom-web", "package.json")).toEqual([
    2,
    "pacs: --commit needs HOST:PORT:TITLE",
  ]);
});
