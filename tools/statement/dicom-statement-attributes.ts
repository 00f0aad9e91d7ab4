import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { standardName } from "../../main/dicom/elements/standard-representation.ts";
import { readingsTags } from "../../main/dicom/results/packed-readings.ts";
import { programDir } from "../../main/program.ts";

/** An attribute as listed in the statement. */
export type Attribute = { readonly tag: string; readonly name: string };

const dicomDir = path.join(programDir, "main", "dicom");

/** Folders whose sources read DICOM files but do not write them. */
const ofFiles = [".", "elements", "pixels", "../services/results", "../services/privacy"];

/** Attributes read from files and results: all tags in the sources that read. */
export function readAttributes(): Attribute[] {
  const ofResults = [...sourcesIn("presentation"), ...sourcesIn("results")].filter(isReading);
  return attributesIn([...ofFiles.flatMap(sourcesIn), ...ofResults]);
}

/** Attributes of the objects that Corvet writes: all tags in the sources that write. */
export function writtenAttributes(): Attribute[] {
  return attributesIn(
    ["results", "presentation", "writing"]
      .flatMap(sourcesIn)
      .filter((file) => !path.basename(file).startsWith("read-")),
  );
}

/** Whether a source reads objects that other sources of its folder write; packed-readings.ts does both. */
function isReading(file: string): boolean {
  return path.basename(file).startsWith("read-") || path.basename(file) === "packed-readings.ts";
}

/** Sources of a folder in or next to `main/dicom`, including subfolders; "." is the folder without its subfolders. */
function sourcesIn(folder: string): string[] {
  return readdirSync(path.join(dicomDir, folder), { encoding: "utf8", recursive: folder !== "." })
    .filter((name) => /(?<!\.d)\.ts$/.test(name))
    .map((name) => path.join(dicomDir, folder, name));
}

function attributesIn(files: readonly string[]): Attribute[] {
  return attributesOf(new Set(files.flatMap((file) => tagsIn(readFileSync(file, "utf8")))));
}

/** Attributes of tags (eight hexadecimal digits), sorted. */
export function attributesOf(tags: ReadonlySet<string>): Attribute[] {
  return [...tags].sort().flatMap((digits) => {
    const tag = `(${digits.slice(0, 4)},${digits.slice(4)})`;
    const name = standardName(digits) ?? (isPrivate(digits) ? "Private: the readings of the film" : null);
    return name === null ? [] : [{ tag, name }];
  });
}

/**
 * Tags appear in the sources as eight hexadecimal digits, or in the parser's notation: `x7fe00010`. Delimiters of items
 * are no attributes.
 */
function tagsIn(source: string): string[] {
  return [...source.matchAll(/"(?!FFFE)([0-9A-F]{8}|x[0-9a-f]{8})"/g)].map(([, tag = ""]) =>
    tag.slice(-8).toUpperCase(),
  );
}

function isPrivate(digits: string): boolean {
  return (Object.values(readingsTags) as string[]).includes(digits);
}
