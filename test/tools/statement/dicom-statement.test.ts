// Needs its own process: mocks a module
import { readFileSync } from "node:fs";
import type { DataSet } from "dicom-parser";
import { expect, test, vi } from "vitest";
import { contentsOf } from "../../../main/dicom/dicom-contents.ts";
import { readDicomFile } from "../../../main/dicom/dicom-file.ts";
import { standardKeyword } from "../../../main/dicom/elements/standard-representation.ts";
import { readFrame } from "../../../main/dicom/pixels/read-frame.ts";
import { measurementReport } from "../../../main/dicom/results/measurement-report.ts";
import { readAttributes, writtenAttributes } from "../../../tools/statement/dicom-statement-attributes.ts";
import { withTables } from "../../../tools/statement/dicom-statement-tables.ts";
import { storageClasses } from "../../../main/dicom/network/storage-classes.ts";
import { transferSyntaxes } from "../../../main/dicom/pixels/coded/transfer-syntaxes.ts";
import { sopClasses } from "../../../main/dicom/results/uids.ts";
import { bytes, text, us } from "../../main/dicom/dicom-writer.ts";
import { nativeFile, phantomFilm } from "../../main/dicom/pixels/phantom-film.ts";
import { foreignPresentation, graphic } from "../../main/dicom/presentation/foreign-presentation.ts";
import { machineFile, subjects } from "../../main/dicom/results/subjects.ts";

/** Tags of all elements that were read, as eight hexadecimal capital digits. */
const asked = vi.hoisted(() => new Set<string>());
vi.mock(import("../../../main/dicom/elements/dicom-elements.ts"), async (importOriginal) => {
  const { elementsOf } = await importOriginal();
  return { elementsOf: (dataSet, inherited) => elementsOf(watched(dataSet), inherited) };
});

/** Wraps a data set so that reads of its elements, also in sequences, are recorded. */
function watched(dataSet: DataSet): DataSet {
  const elements = new Proxy(dataSet.elements, {
    get: (all, key: string) => {
      asked.add(key.slice(1).toUpperCase());
      const element = all[key];
      const items = element?.items?.map((item) => (item.dataSet ? { ...item, dataSet: watched(item.dataSet) } : item));
      return element && items ? { ...element, items } : element;
    },
  });
  return { ...dataSet, elements } as DataSet;
}

const statement = readFileSync(new URL("../../../docs/dicom-conformance.md", import.meta.url), "utf8");

test("contains the tables that the program uses", () => {
  expect(statement).toBe(withTables(statement));
});

test("lists all SOP classes and transfer syntaxes, and all written classes can be received", () => {
  for (const { uid } of [...storageClasses, ...transferSyntaxes]) expect(statement).toContain(`| ${uid} |`);
  expect(Object.values(sopClasses).filter((uid) => !storageClasses.some((known) => known.uid === uid))).toEqual([]);
});

test("states which classes are sent as results and as films without names", () => {
  const sent = (uid: string) => statement.match(new RegExp(`\\| ${uid.replaceAll(".", "\\.")} \\| ([^|]+) \\|`))?.[1];
  const { secondaryCapture, comprehensiveReport, keyObjects } = sopClasses;
  const digitalXRay = "1.2.840.10008.5.1.4.1.1.1.1";
  expect([digitalXRay, secondaryCapture, comprehensiveReport, keyObjects].map(sent)).toEqual([
    "films without names",
    "results, films without names",
    "results",
    "results",
  ]);
});

test("finds the attributes in the sources that read and write", () => {
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

test("lists every attribute that is read from any kind of file", async () => {
  const grey = await phantomFilm(8, false, { widthPx: 64, heightPx: 48 });
  const openings = ["001816", "001817"].flatMap((group) => [
    text(`${group}00`, "CS", "RECTANGULAR\\CIRCULAR\\POLYGONAL"),
    ...["02", "04", "06", "08", "12"].map((element) => text(`${group}${element}`, "IS", "9")),
    text(`${group}10`, "IS", "9\\9"),
    text(`${group}20`, "IS", "1\\1\\1\\9\\9\\9"),
  ]);
  const palette = ["1", "2", "3"].flatMap((colour) => [
    us(`0028110${colour}`, 256, 0, 8),
    bytes(`0028120${colour}`, "OW", new Uint8Array(256)),
  ]);
  const report = measurementReport(subjects["a correction by a person with umlauts"]!, {
    sopClassUid: "1.2.840.10008.5.1.4.1.1.1.1",
    sopInstanceUid: "1.2.3.4.5",
    seriesInstanceUid: "1.2.3.4.1",
    frameNumber: null,
    size: { widthPx: 2160, heightPx: 1800 },
    pixelAspect: 1,
    said: null,
  });
  const pictures = [
    nativeFile(grey, openings),
    nativeFile(grey, [text("00280004", "CS", "PALETTE COLOR"), ...palette]),
  ];
  const others = [report.bytes, foreignPresentation([graphic("POINT", "PIXEL", 4, 5)])];
  for (const file of [...pictures, ...others].map(readDicomFile).concat(machineFile())) contentsOf(file);
  for (const file of pictures) await readFrame(file, 0, () => Promise.reject(new Error("nothing is coded here")));
  const stated = new Set(readAttributes().map(({ tag }) => tag.replace(/\W/g, "")));
  expect(asked.size).toBeGreaterThan(100);
  expect(["00181620", "00181706", "00080005", "00281203", "0040A730"].filter((tag) => !asked.has(tag))).toEqual([]);
  expect([...asked].filter((tag) => !stated.has(tag) && standardKeyword(tag) !== null)).toEqual([]);
});
