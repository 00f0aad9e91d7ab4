import { AppError, because, type Reason } from "../../../core/app-error.ts";
import { isDicom } from "../../dicom/dicom-file.ts";

export const filmExtensions = ["jpg", "jpeg", "png", "dcm", "dicom", "ima", "zip"] as const;

const filmName = new RegExp(`\\.(${filmExtensions.join("|")})$`, "i");

/** Files often mistaken for films, recognised at the beginning or after the length of the first box. */
const strangers: readonly (readonly [signature: string, what: Reason, at?: number])[] = [
  ...["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"].map(
    (brand) => [`ftyp${brand}`, because("fileIsHeic"), 4] as const,
  ),
  ["ftypavif", because("fileIsImage", { format: "AVIF" }), 4],
  ["ftypavis", because("fileIsImage", { format: "AVIF" }), 4],
  ["jP  \r\n", because("fileIsImage", { format: "JPEG 2000" }), 4],
  ["\xffO\xffQ", because("fileIsImage", { format: "JPEG 2000" })],
  ["JXL \r\n", because("fileIsImage", { format: "JPEG XL" }), 4],
  ["\xff\n", because("fileIsImage", { format: "JPEG XL" })],
  ["%PDF", because("fileIsPdf")],
  ["GIF8", because("fileIsImage", { format: "GIF" })],
  ["II*\0", because("fileIsImage", { format: "TIFF" })],
  ["MM\0*", because("fileIsImage", { format: "TIFF" })],
  ["BM", because("fileIsImage", { format: "BMP" })],
  ["WEBP", because("fileIsImage", { format: "WebP" }), 8],
  ["Rar!", because("fileIsArchive", { format: "RAR" })],
  ["7z\xbc\xaf", because("fileIsArchive", { format: "7-Zip" })],
  ["\x1f\x8b", because("fileIsArchive", { format: "gzip" })],
];

export const signatureBytes = 512;

/** Never judges by name. */
export function kindOfFile(head: Uint8Array): "film" | "archive" | "other" {
  if (startsWith(head, "PK\x03\x04") || startsWith(head, "PK\x05\x06")) return "archive";
  return startsWith(head, "\xff\xd8\xff") || startsWith(head, "\x89PNG") || isDicom(head) ? "film" : "other";
}

export function isNamedLikeFilm(name: string): boolean {
  return filmName.test(name);
}

export function notAFilm(head: Uint8Array): AppError {
  if (head.length === 0) return new AppError("UNSUPPORTED_IMAGE", because("fileEmpty"));
  const stranger = strangers.find(([signature, , at = 0]) => startsWith(head.subarray(at), signature));
  return new AppError("UNSUPPORTED_IMAGE", stranger?.[1] ?? because("fileIsNoFilm"));
}

/** A DICOMDIR, or a report, presentation state or list that accompanies films. */
export function isCompanion({ code, reason }: AppError): boolean {
  return (code === "DICOM_WITHOUT_PIXELS" && reason === null) || reason?.name === "dicomdirAlone";
}

function startsWith(bytes: Uint8Array, signature: string): boolean {
  return (
    bytes.length >= signature.length &&
    [...signature].every((character, index) => bytes[index] === character.charCodeAt(0))
  );
}
