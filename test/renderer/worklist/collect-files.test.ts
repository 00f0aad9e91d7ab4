import { expect, test } from "vitest";
import { filesOfField, reasonNotToSend } from "../../../renderer/worklist/collect-files.ts";

test("files are sent with or without a name, documents and hidden files are skipped with their reason", () => {
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

test("chosen files are opened in the order in which people sort their names", () => {
  const chosen = ["film 10.jpg", "film 2.jpg", "Film 1.jpg"].map((name) => new File([], name));
  const { files } = filesOfField(chosen as unknown as FileList);
  expect(files.map(({ file }) => file.name)).toEqual(["Film 1.jpg", "film 2.jpg", "film 10.jpg"]);
});
