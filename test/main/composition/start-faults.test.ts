import { expect, it, onTestFinished } from "vitest";
import { openCorvet } from "../../../main/compose.ts";
import { ownWindow } from "../../../main/services/people/person-sessions.ts";
import { openStore } from "../../../main/store/database.ts";
import { activePacksSetting, saveSetting } from "../../../main/store/settings.ts";
import { folderForTest } from "../../fixtures/folders.ts";
import { scriptedEngine } from "../../fixtures/scripted-engine.ts";
import { writtenLog } from "../../fixtures/written-log.ts";

it("shows faults that were reported before the window could open", async () => {
  const dataDir = folderForTest();
  const db = await openStore(dataDir);
  await saveSetting(db, activePacksSetting, { usg: "vendor" });
  await db.destroy();
  const { log } = writtenLog();
  const corvet = await openCorvet({ dataDir, port: 0, log, engine: scriptedEngine() });
  onTestFinished(() => corvet.close());
  expect(await corvet.desktop.call("app.faults", {}, ownWindow)).toMatchObject({
    value: {
      faults: [{ code: "PACK_REFUSED", message: expect.stringContaining("vendor was chosen but is not used") }],
    },
  });
});
