import { AppError, because } from "../../core/app-error.ts";
import type { DicomFile } from "./dicom-file.ts";

const inactive = 0;

/** Limits above the capacity of any medium. */
const limits = { files: 50_000, pathCharacters: 1024 } as const;

export function isDicomDirectory(file: DicomFile): boolean {
  return file.has("00041220");
}

/**
 * Lists the files of a DICOMDIR in order, each as path components relative to the folder of the DICOMDIR.
 *
 * @throws AppError INVALID_DICOM if the number of files or the length of a path exceeds the limit
 * @see DICOM PS3.10 8.2, PS3.3 F.3
 */
export function filesOfDirectory(file: DicomFile): readonly (readonly string[])[] {
  const records = file.items("00041220").filter((record) => record.number("00041410") !== inactive);
  const files = records
    .map((record) => record.texts("00041500").filter((component) => component !== ""))
    .filter((components) => components.length > 0);
  if (files.length > limits.files)
    throw new AppError("INVALID_DICOM", because("dicomdirTooLarge", { limit: limits.files }));
  if (files.some((components) => components.join("/").length > limits.pathCharacters))
    throw new AppError("INVALID_DICOM", because("dicomdirPathTooLong"));
  return files;
}

/** @throws AppError INVALID_DICOM if the path is outside the folder of the DICOMDIR */
export function assertInside(components: readonly string[]): void {
  const isBad = components.some((component) => component === "." || component === ".." || /[/:\0]/.test(component));
  if (isBad) throw new AppError("INVALID_DICOM", because("dicomdirOutside"));
}
