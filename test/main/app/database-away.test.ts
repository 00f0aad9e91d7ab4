import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { chooseDatabase, chosenDatabase } from "../../../main/services/program/store-place.ts";
import type * as StandIn from "../../fixtures/electron-stand-in.ts";
import { freePort } from "../dicom/network/dcmtk.ts";
import { launchProgram, type LaunchedProgram } from "./launch-program.ts";

let program: LaunchedProgram | null = null;
afterAll(() => program?.quit());

it("asks a person whose database is away, and opens on this machine's file for as long as the program runs", async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), "corvet-away-"));
  chooseDatabase(dataDir, `postgres://corvet:geheim@127.0.0.1:${await freePort()}/practice`, null);
  const standIn = (await import("electron")) as unknown as typeof StandIn;
  standIn.dialogAnswers.messageBox = 1;
  program = await launchProgram({ dataDir });
  const asked = standIn.recorded.filter(({ name }) => name === "showMessageBox");
  expect(asked).toHaveLength(1);
  const text = JSON.stringify(asked[0]?.arguments);
  expect(text).toContain("postgres://127.0.0.1");
  expect(text).not.toContain("geheim");
  expect(chosenDatabase(dataDir)).toContain("/practice");
});
