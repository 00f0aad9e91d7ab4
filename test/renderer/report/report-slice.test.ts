import { expect, test } from "vitest";
import { setConnection } from "../../../renderer/state/connection.ts";
import { useReport } from "../../../renderer/report/report-slice.ts";
import { useToasts } from "../../../renderer/ui/notes/toasts.tsx";

test("what a node has taken is told when it has, and by nobody again", async () => {
  const call = () => Promise.resolve({ ok: true, value: { sentObjects: 3, failure: null } }) as never;
  setConnection({ kind: "browser", call, subscribe: () => () => undefined });
  await useReport.getState().send("film", { id: "node", name: "Archive" } as never);
  expect(useToasts.getState().toasts.map(({ words }) => words)).toEqual([expect.stringContaining("Archive")]);
  expect(useReport.getState()).toMatchObject({ task: null, failure: null });
});
