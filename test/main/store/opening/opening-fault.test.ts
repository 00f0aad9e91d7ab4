// Runs once: stores in files.
import { mkdirSync, symlinkSync } from "node:fs";
import { expect, it } from "vitest";
import { openStore } from "../../../../main/store/database.ts";
import { anchorFile, storeFile } from "../../../../main/store/files/store-files.ts";
import { folderForTest } from "../../../fixtures/folders.ts";

it("reports a store file that cannot be opened", async () => {
  const dataDir = folderForTest();
  const file = storeFile(dataDir);
  mkdirSync(file);
  await expect(openStore(dataDir)).rejects.toMatchObject({
    code: "STORE_UNAVAILABLE",
    message: expect.stringContaining(`cannot be used: this user may not read or write ${file}.`) as string,
  });
});

it.runIf(process.platform !== "win32")("reports another file that cannot be read", async () => {
  const dataDir = folderForTest();
  symlinkSync("record-head", anchorFile(dataDir));
  await expect(openStore(dataDir)).rejects.toMatchObject({
    code: "STORE_UNAVAILABLE",
    message: expect.stringContaining(`reports a fault (ELOOP, ${anchorFile(dataDir)})`) as string,
  });
});
