import { AppError, because } from "../../core/app-error.ts";
import type { DicomFile } from "./dicom-file.ts";

const directoryClassUid = "1.2.840.10008.1.3.10";
const inactive = 0;

/** More than a medium holds. */
const limits = { files: 50_000, pathCharacters: 1024 } as const;

/** Whether a file is the directory of a CD or folder, and no picture. */
export function isDicomDirectory(file: DicomFile): boolean {
  return file.text("00020002") === directoryClassUid || file.has("00041220");
}

/**
 * The files that a DICOMDIR names, in its order; each as the components of a path below the directory's own folder.
 *
 * @throws AppError INVALID_DICOM when it names more, or longer, than a medium can hold
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

/** @throws AppError INVALID_DICOM when the path would leave the folder of its DICOMDIR */
export function assertInside(components: readonly string[]): void {
  const isBad = components.some((component) => component === "." || component === ".." || /[/:\0]/.test(component));
  if (isBad) throw new AppError("INVALID_DICOM", because("dicomdirOutside"));
}
