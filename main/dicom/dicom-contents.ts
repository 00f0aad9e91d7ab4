import { describeInstance, type DicomInstance } from "./dicom-instance.ts";
import { filesOfDirectory, isDicomDirectory } from "./dicomdir.ts";
import type { DicomFile } from "./dicom-file.ts";
import { readKeyObjects, type KeyObjects } from "./presentation/read-key-objects.ts";
import { readPresentation, type MarksOnFilms } from "./presentation/read-presentation.ts";
import { readResultObject, type ResultObject } from "./results/read-result.ts";

/** What a DICOM file holds, in plain data. */
export type DicomContents = {
  /** The files that a DICOMDIR names, as the components of paths below its folder; null for every other file. */
  readonly directory: readonly (readonly string[])[] | null;
  /** A result of this program, read again; null for every other object. */
  readonly result: ResultObject | null;
  /** Marks that another program drew on films; null for every other object. */
  readonly marks: MarksOnFilms | null;
  /** A list of films that somebody marked; null for every other object. */
  readonly keyFilms: KeyObjects | null;
  readonly instance: DicomInstance;
  /** AE title that it was received from, as its file header says. */
  readonly sender: string | null;
  readonly hasPicture: boolean;
  /** Whether it holds a document, a PDF say. */
  readonly hasDocument: boolean;
};

/** Far above what the readings of a film take up [characters of JSON]. */
const resultLimit = 4 * 1024 * 1024;

/** Looks through a file's elements; its picture is not decoded. */
export function contentsOf(file: DicomFile): DicomContents {
  return {
    directory: isDicomDirectory(file) ? filesOfDirectory(file) : null,
    result: bounded(readResultObject(file)),
    marks: bounded(readPresentation(file)),
    keyFilms: bounded(readKeyObjects(file)),
    instance: describeInstance(file),
    sender: file.sender,
    hasPicture: file.pixelData !== null,
    hasDocument: file.has("00420011"),
  };
}

/** A forged result with a gigabyte of text must not get into the program. */
function bounded<Read>(read: Read | null): Read | null {
  return read !== null && JSON.stringify(read).length <= resultLimit ? read : null;
}
