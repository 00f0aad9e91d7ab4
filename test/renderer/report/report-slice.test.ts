import { expect, test } from "vitest";
import { setConnection } from "../../../renderer/state/connection.ts";
import { sayIn } from "../../../core/language/say.ts";
import { useNavigation } from "../../../renderer/state/navigation.ts";
import { useReport } from "../../../renderer/report/report-slice.ts";
import { inWords, useToasts } from "../../../renderer/ui/notes/toasts.tsx";

test("what a node has taken is told when it has, and by nobody again", async () => {
  const call = () => Promise.resolve({ ok: true, value: { sentObjects: 3, failure: null } }) as never;
  setConnection({ kind: "browser", call, subscribe: () => () => undefined });
  await useReport.getState().send("film", { id: "node", name: "Archive" } as never);
  expect(useToasts.getState().toasts.map(({ words }) => words)).toEqual([expect.stringContaining("Archive")]);
  expect(useReport.getState()).toMatchObject({ task: null, failure: null });
});

test("whoever shares a film while its points are moved is told that the saved values go", async () => {
  useToasts.setState({ toasts: [] });
  useNavigation.getState().setGuard({ save: () => Promise.resolve(), discard: () => undefined });
  const sending = useReport.getState().send("film", { id: "node", name: "Archive" } as never);
  expect(useToasts.getState().toasts.map(({ words }) => inWords(words, sayIn("en")))).toEqual([
    "Shares the values as they were saved: save your correction first.",
  ]);
  useNavigation.getState().setGuard(null);
  await sending;
});
