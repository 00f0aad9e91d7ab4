import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readAttributes, writtenAttributes } from "../../../tools/statement/dicom-statement-attributes.ts";
import { dicomStatement } from "../../../tools/statement/dicom-statement-text.ts";
import { storageClasses } from "../../../main/dicom/network/storage-classes.ts";
import { transferSyntaxes } from "../../../main/dicom/pixels/coded/transfer-syntaxes.ts";
import { sopClasses } from "../../../main/dicom/results/uids.ts";

test("docs/dicom-conformance.md is what npm run dicom-statement writes", () => {
  expect(readFileSync(new URL("../../../docs/dicom-conformance.md", import.meta.url), "utf8")).toBe(dicomStatement());
});

test("names every class and syntax of the tables, and what is written can be received", () => {
  const statement = dicomStatement();
  for (const { uid } of [...storageClasses, ...transferSyntaxes]) expect(statement).toContain(`| ${uid} |`);
  expect(Object.values(sopClasses).filter((uid) => !storageClasses.some((known) => known.uid === uid))).toEqual([]);
});

test("finds the attributes in the sources of reading and of writing", () => {
  expect(readAttributes()).toEqual(
    expect.arrayContaining([
      { tag: "(0010,0020)", name: "Patient ID" },
      { tag: "(0028,0010)", name: "Rows" },
    ]),
  );
  expect(writtenAttributes()).toEqual(
    expect.arrayContaining([
      { tag: "(0040,A730)", name: "Content Sequence" },
      { tag: "(0099,1001)", name: "Private: the readings of the film" },
    ]),
  );
});
