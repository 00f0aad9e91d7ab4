import { expect, test } from "vitest";
import { filesOfDrop, filesOfField, reasonToSkip } from "../../../renderer/worklist/collect-files.ts";

test("uploads files with or without extension, and skips documents and hidden files with the reason", () => {
  expect(["a.jpg", "b.PNG", "IM000001", "c.dcm", "DICOMDIR"].map(reasonToSkip)).toEqual([null, null, null, null, null]);
  expect(["notes.txt", "AUTORUN.INF", "Thumbs.db"].map(reasonToSkip)).toEqual(
    ["txt", "INF", "db"].map((ending) => ({ name: "fileNamedOtherwise", values: { ending } })),
  );
  expect(reasonToSkip(".DS_Store")).toEqual({ name: "fileHidden", values: {} });
});

test("opens chosen files in natural order of their names", () => {
  const chosen = ["film 10.jpg", "film 2.jpg", "Film 1.jpg"].map((name) => new File([], name));
  const { files } = filesOfField(chosen as unknown as FileList);
  expect(files.map(({ file }) => file.name)).toEqual(["Film 1.jpg", "film 2.jpg", "film 10.jpg"]);
});

test("lists unreadable files and folders of a drop, and opens the others", async () => {
  const fault = new DOMException("The file could not be read", "NotReadableError");
  const fileEntry = (name: string, isReadable = true) => ({
    isFile: true,
    fullPath: `/study/${name}`,
    file: (resolve: (file: File) => void, reject: (error: DOMException) => void) =>
      isReadable ? resolve(new File([], name)) : reject(fault),
  });
  const folderEntry = (fullPath: string, parts: readonly (readonly unknown[] | null)[]) => ({
    isFile: false,
    fullPath,
    createReader: () => {
      const left = [...parts];
      return {
        readEntries: (resolve: (entries: unknown) => void, reject: (error: DOMException) => void) => {
          const next = left.shift();
          if (next === null) reject(fault);
          else resolve(next ?? []);
        },
      };
    },
  });
  const half = folderEntry("/study/half", [[fileEntry("half/b.dcm")], null]);
  const study = folderEntry("/study", [[half, fileEntry("a.dcm"), fileEntry("c.dcm", false), fileEntry("d.txt")]]);
  const transfer = { items: [{ webkitGetAsEntry: () => study }], files: [] } as unknown as DataTransfer;
  const { files, noFilms, faulty } = await filesOfDrop(transfer);
  expect(files.map(({ file }) => file.name)).toEqual(["a.dcm", "half/b.dcm"]);
  expect(noFilms.map(({ name }) => name)).toEqual(["d.txt"]);
  expect(faulty?.map(({ name, reason }) => [name, reason?.name]).toSorted()).toEqual([
    ["/study/c.dcm", "fileUnreadable"],
    ["/study/half", "fileUnreadable"],
  ]);
});
