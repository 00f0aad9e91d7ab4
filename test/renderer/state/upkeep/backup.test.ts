import { expect, test } from "vitest";
import { setConnection } from "../../../../renderer/state/connection.ts";
import { useBackup } from "../../../../renderer/state/upkeep/backup.ts";

test("has lists of backups loaded again after one that was stopped: its copy here may be whole", async () => {
  const stopped = { ok: false, code: "ABORTED", message: "Request cancelled" };
  setConnection({
    kind: "browser",
    call: () => Promise.resolve(stopped) as never,
    subscribe: () => () => undefined,
  });
  const before = useBackup.getState().ended;
  expect(await useBackup.getState().make()).toBe(false);
  expect(useBackup.getState()).toMatchObject({ running: null, ended: before + 1 });
});
