import { expect, test } from "vitest";
import { useToasts } from "../../../renderer/ui/toasts.tsx";

test("a fault stays while notes come and go; of notes, those that can be undone stay longest", () => {
  const { show } = useToasts.getState();
  const action = { label: "Undo", onChoose: () => undefined };
  show("fault", "The disk is full");
  show("note", "1 film removed", { action });
  for (const words of ["Saved", "Sent", "Copied", "Printed"]) show("note", words);
  const shown = () => useToasts.getState().toasts.map((toast) => toast.words);
  expect(shown()).toEqual(["The disk is full", "1 film removed", "Copied", "Printed"]);
  for (let removed = 2; removed < 6; removed += 1) show("note", `${removed} films removed`, { action });
  expect(shown()).toEqual(["The disk is full", "3 films removed", "4 films removed", "5 films removed"]);
});
