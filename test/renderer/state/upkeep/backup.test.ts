import { expect, test } from "vitest";
import { answerCalls } from "../../../fixtures/page/answer-calls.ts";
import { channelQuery, queryClient } from "../../../../renderer/state/queries.ts";
import { useBackup } from "../../../../renderer/state/upkeep/backup.ts";

test("reloads the list of backups after a backup was stopped", async () => {
  const stopped = { ok: false, code: "ABORTED", message: "Request cancelled" };
  answerCalls(() => stopped);
  const { queryKey } = channelQuery("backups.list", {});
  queryClient.setQueryData(queryKey, { backups: [] } as never);
  expect(await useBackup.getState().make()).toBe(false);
  expect(useBackup.getState().running).toBeNull();
  await expect.poll(() => queryClient.getQueryState(queryKey)?.isInvalidated).toBe(true);
});
