import { expect, test } from "vitest";
import { isCandidate } from "../../../renderer/worklist/collect-files.ts";

test("films are sent by name or without one, documents and hidden files are not", () => {
  expect(["a.jpg", "b.PNG", "IM000001", "c.dcm", "DICOMDIR"].filter(isCandidate)).toHaveLength(5);
  expect(["notes.txt", ".DS_Store", "Thumbs.db", "AUTORUN.INF"].filter(isCandidate)).toEqual([]);
});
