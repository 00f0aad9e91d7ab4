import { AppError, because } from "../../../../core/app-error.ts";
import {
  deflatedLittleEndian,
  explicitBigEndian,
  explicitLittleEndian,
  implicitLittleEndian,
} from "../../transfer-syntaxes.ts";
import type { PictureCoding } from "./codec-module.ts";

export type TransferSyntax = { readonly uid: string; readonly name: string; readonly coding: PictureCoding | "native" };

/** Every transfer syntax whose pictures can be shown and measured. @see DICOM PS3.6 A-1 */
export const transferSyntaxes: readonly TransferSyntax[] = [
  { uid: implicitLittleEndian, name: "Implicit VR Little Endian", coding: "native" },
  { uid: explicitLittleEndian, name: "Explicit VR Little Endian", coding: "native" },
  { uid: deflatedLittleEndian, name: "Deflated Explicit VR Little Endian", coding: "native" },
  { uid: explicitBigEndian, name: "Explicit VR Big Endian", coding: "native" },
  { uid: "1.2.840.10008.1.2.5", name: "RLE Lossless", coding: "DecodeRle" },
  { uid: "1.2.840.10008.1.2.4.50", name: "JPEG Baseline (Process 1)", coding: "DecodeJpeg" },
  { uid: "1.2.840.10008.1.2.4.51", name: "JPEG Extended (Process 2 and 4)", coding: "DecodeJpeg" },
  { uid: "1.2.840.10008.1.2.4.57", name: "JPEG Lossless, Non-Hierarchical (Process 14)", coding: "DecodeJpeg" },
  {
    uid: "1.2.840.10008.1.2.4.70",
    name: "JPEG Lossless, Non-Hierarchical, First-Order Prediction",
    coding: "DecodeJpeg",
  },
  { uid: "1.2.840.10008.1.2.4.80", name: "JPEG-LS Lossless", coding: "DecodeJpegLs" },
  { uid: "1.2.840.10008.1.2.4.81", name: "JPEG-LS Lossy (Near-Lossless)", coding: "DecodeJpegLs" },
  { uid: "1.2.840.10008.1.2.4.90", name: "JPEG 2000 (Lossless Only)", coding: "DecodeJpeg2000" },
  { uid: "1.2.840.10008.1.2.4.91", name: "JPEG 2000", coding: "DecodeJpeg2000" },
  { uid: "1.2.840.10008.1.2.4.201", name: "High-Throughput JPEG 2000 (Lossless Only)", coding: "DecodeHtJpeg2000" },
  {
    uid: "1.2.840.10008.1.2.4.202",
    name: "High-Throughput JPEG 2000 with RPCL Options (Lossless Only)",
    coding: "DecodeHtJpeg2000",
  },
  { uid: "1.2.840.10008.1.2.4.203", name: "High-Throughput JPEG 2000", coding: "DecodeHtJpeg2000" },
];

/** @throws AppError UNSUPPORTED_DICOM naming the syntax */
export function transferSyntaxOf(uid: string): TransferSyntax {
  const syntax = transferSyntaxes.find((known) => known.uid === uid);
  if (!syntax)
    throw new AppError(
      "UNSUPPORTED_DICOM",
      because("dicomSyntaxUnsupported", { uid: uid.replace(/[^0-9.]/g, "").slice(0, 64) || "?" }),
    );
  return syntax;
}
