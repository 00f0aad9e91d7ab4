import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { openLog } from "../../../main/log.ts";
import { createRefusalNotes } from "../../../main/server/refusal-notes.ts";
import { folderForTest } from "../../fixtures/folders.ts";

it("writes to the security log the first refusal of a kind at once and further ones as a count", async () => {
  const dataDir = folderForTest();
  const log = openLog(dataDir);
  const notes = createRefusalNotes(log, 50);
  log.info({}, "of no interest");
  for (let call = 0; call < 1000; call += 1) notes.note(403, "/v3/predict");
  notes.note(421, "/usg/v1/health");
  notes.note(401, "/app/events");
  notes.note(200, "/v3/health");
  const lines = () =>
    readFileSync(path.join(dataDir, "logs", "security.log"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .map(({ security, service, count }) => [security, service, count ?? 1]);
  while (lines().length < 4) await wait(5);
  expect(lines()).toEqual([
    ["key.refused", "v3", 1],
    ["host.refused", "usg", 1],
    ["page.refused", "app", 1],
    ["key.refused", "v3", 999],
  ]);
});
