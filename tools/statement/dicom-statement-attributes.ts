import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import dcmjs from "dcmjs";
import { readingsTags } from "../../main/dicom/results/packed-readings.ts";
import { programDir } from "../../main/program.ts";

/** An attribute as the statement names it. */
export type Attribute = { readonly tag: string; readonly name: string };

/** The library's dictionary of the standard's attributes, by `(gggg,eeee)`; the library brings no types. */
const { dictionary } = (
  dcmjs.data as unknown as {
    DicomMetaDictionary: { dictionary: Readonly<Record<string, { readonly name: string } | undefined>> };
  }
).DicomMetaDictionary;

const dicomDir = path.join(programDir, "main", "dicom");

/** Attributes that opening a file looks at: every tag that the sources of reading name. */
export function readAttributes(): Attribute[] {
  const marks = sourcesIn("presentation").filter((file) => path.basename(file).startsWith("read-"));
  return attributesIn([...sourcesIn("."), ...sourcesIn("pixels"), ...marks]);
}

/**
 * Attributes of the objects that this program makes: every tag that the sources of writing name, those that read them
 * back left out.
 */
export function writtenAttributes(): Attribute[] {
  return attributesIn(
    [...sourcesIn("results"), ...sourcesIn("presentation")].filter((file) => !path.basename(file).startsWith("read-")),
  );
}

/** Sources of a folder of `main/dicom` with the folders inside it; "." is that room without its folders. */
function sourcesIn(folder: string): string[] {
  return readdirSync(path.join(dicomDir, folder), { encoding: "utf8", recursive: folder !== "." })
    .filter((name) => /(?<!\.d)\.ts$/.test(name))
    .map((name) => path.join(dicomDir, folder, name));
}

function attributesIn(files: readonly string[]): Attribute[] {
  const tags = new Set(files.flatMap((file) => tagsIn(readFileSync(file, "utf8"))));
  return [...tags].sort().flatMap((digits) => {
    const tag = `(${digits.slice(0, 4)},${digits.slice(4)})`;
    const name = dictionary[tag]?.name ?? (isPrivate(digits) ? "Private: the readings of the film" : null);
    return name === null ? [] : [{ tag, name: inWords(name) }];
  });
}

/** Tags stand in the sources as eight hexadecimal digits; the three of a palette as seven and a `${digit}`. */
function tagsIn(source: string): string[] {
  const whole = [...source.matchAll(/"([0-9A-F]{8})"/g)].map(([, tag = ""]) => tag);
  const ofPalette = [...source.matchAll(/`([0-9A-F]{7})\$\{digit\}`/g)].flatMap(([, tag = ""]) =>
    ["1", "2", "3"].map((digit) => tag + digit),
  );
  return [...whole, ...ofPalette];
}

function isPrivate(digits: string): boolean {
  return (Object.values(readingsTags) as string[]).includes(digits);
}

/** `PatientID` becomes `Patient ID`. */
function inWords(keyword: string): string {
  return keyword.replace("VOILUT", "VOI LUT").replace(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, " ");
}
