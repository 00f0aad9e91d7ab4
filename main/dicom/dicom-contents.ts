import { describeInstance, type DicomInstance } from "./dicom-instance.ts";
import { filesOfDirectory, isDicomDirectory } from "./dicomdir.ts";
import type { DicomFile } from "./dicom-file.ts";
import { readKeyObjects, type KeyObjects } from "./presentation/read-key-objects.ts";
import { readPresentation, type MarksOnFilms } from "./presentation/read-presentation.ts";
import { readResultObject, type ResultObject } from "./results/read-result.ts";

export type DicomContents = {
  /** Files listed by a DICOMDIR, as path components relative to its folder; null for any other file. */
  readonly directory: readonly (readonly string[])[] | null;
  /** A result created by Corvet; null for any other object. */
  readonly result: ResultObject | null;
  /** Annotations that another program drew on films; null for any other object. */
  readonly marks: MarksOnFilms | null;
  /** A selection of key films; null for any other object. */
  readonly keyFilms: KeyObjects | null;
  readonly instance: DicomInstance;
  /** AE title of the sender, from the file header. */
  readonly sender: string | null;
  readonly hasPicture: boolean;
  /** Whether it contains a document, such as a PDF. */
  readonly hasDocument: boolean;
};

/** Maximum size of a result, far above that of a film's readings [characters of JSON]. */
const resultLimit = 4 * 1024 * 1024;

/** Reads the contents of a file without decoding its picture. */
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

/** Ignores a result above the limit: a forged file may contain a gigabyte of text. */
function bounded<Read>(read: Read | null): Read | null {
  return read !== null && JSON.stringify(read).length <= resultLimit ? read : null;
}
