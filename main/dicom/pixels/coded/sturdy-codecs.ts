import { AppError, because } from "../../../../core/app-error.ts";
import { CodecFault, startCodecs, type Codecs } from "./codec-module.ts";
import { hasWholeForm } from "./coded-form.ts";

/**
 * Codecs that replace their instance after an error, which leaves its memory in an unknown state. The error is
 * UNSUPPORTED_DICOM if the markers of the picture are complete, since the prebuilt JPEG-LS decoder rejects structures
 * that the standard allows; else it is INVALID_DICOM.
 */
export async function startSturdyCodecs(module: WebAssembly.Module): Promise<Codecs> {
  let codecs = await startCodecs(module);
  return {
    async decode(frame) {
      const isWhole = () => hasWholeForm(frame.bytes, frame.coding);
      // The decoder accepts no truncated JPEG-LS picture, but may run for minutes on it.
      if (frame.coding === "DecodeJpegLs" && !isWhole())
        throw new AppError("INVALID_DICOM", because("dicomNotDecoded"));
      try {
        return await codecs.decode(frame);
      } catch (cause) {
        if (!(cause instanceof CodecFault)) throw cause;
        codecs = await startCodecs(module);
        throw isWhole()
          ? new AppError("UNSUPPORTED_DICOM", because("dicomDecoderGaveUp"), { cause })
          : new AppError("INVALID_DICOM", because("dicomNotDecoded"), { cause });
      }
    },
    memoryBytes: () => codecs.memoryBytes(),
  };
}
