// Runs once: stores in files.
import { mkdirSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { openStore } from "../../../main/store/database.ts";
import { storeFile } from "../../../main/store/store-files.ts";
import { temporaryDataDir } from "./sample-store.ts";

it("names a store file that cannot be opened", async () => {
  const { dataDir, remove } = temporaryDataDir();
  onTestFinished(remove);
  const file = storeFile(dataDir);
  mkdirSync(file);
  await expect(openStore(dataDir)).rejects.toMatchObject({
    code: "STORE_UNAVAILABLE",
    message: expect.stringContaining(`cannot be used: this user may not read or write ${file}.`) as string,
  });
});
