// Needs its own process: starts the desktop program, whose modules run once
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { chooseDatabase, chosenDatabase } from "../../../main/services/program/store-place.ts";
import { freePort } from "../dicom/network/dcmtk.ts";
import { questionAtStart } from "./launch-program.ts";

it("asks a person whose database is away, and opens on this machine's file for as long as the program runs", async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), "corvet-away-"));
  chooseDatabase(dataDir, `postgres://corvet:geheim@127.0.0.1:${await freePort()}/practice`, null);
  const question = await questionAtStart(dataDir, 1);
  expect(question).toContain("postgres://127.0.0.1");
  expect(question).not.toContain("geheim");
  expect(chosenDatabase(dataDir)).toContain("/practice");
});
