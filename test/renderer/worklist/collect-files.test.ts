import { expect, test } from "vitest";
import { reasonNotToSend } from "../../../renderer/worklist/collect-files.ts";

test("files are sent by name or without one, documents and hidden files are left alone with their reason", () => {
  expect(["a.jpg", "b.PNG", "IM000001", "c.dcm", "DICOMDIR"].map(reasonNotToSend)).toEqual([
    null,
    null,
    null,
    null,
    null,
  ]);
  expect(["notes.txt", "AUTORUN.INF", "Thumbs.db"].map(reasonNotToSend)).toEqual(
    ["txt", "INF", "db"].map((ending) => ({ name: "fileNamedOtherwise", values: { ending } })),
  );
  expect(reasonNotToSend(".DS_Store")).toEqual({ name: "fileHidden", values: {} });
});
