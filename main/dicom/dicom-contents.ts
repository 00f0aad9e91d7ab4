import { describeInstance, type DicomInstance } from "./dicom-instance.ts";
import { filesOfDirectory, isDicomDirectory } from "./dicomdir.ts";
import type { DicomFile } from "./dicom-file.ts";
import { readKeyObjects, type KeyObjects } from "./presentation/read-key-objects.ts";
import { readPresentation, type MarksOnFilms } from "./presentation/read-presentation.ts";
import { readResultObject, type ResultObject } from "./results/read-result.ts";

export type DicomContents = {
  /** Files listed by a DICOMDIR, as path components relative to its folder; null for any other file. */
  readonly directory: readonly (readonly string[])[] | null;
  readonly result: ResultObject | null;
  readonly marks: MarksOnFilms | null;
  readonly keyFilms: KeyObjects | null;
  readonly instance: DicomInstance;
  readonly sender: string | null;
  readonly hasPicture: boolean;
  readonly hasDocument: boolean;
};

/** Maximum size of a result, far above that of a film's readings [characters of JSON]. */
const resultLimit = 4 * 1024 * 1024;

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
