import { AppError, because } from "../../../../core/app-error.ts";
import { CodecFault, startCodecs, type CodedFrame, type Codecs } from "./codec-module.ts";
import { hasWholeForm, plainJpegLs } from "./coded-form.ts";

/**
 * Codecs that replace their instance after an error, which leaves its memory in an unknown state. A JPEG-LS picture is
 * then retried in a simplified form, since the prebuilt decoder rejects many structures that the standard allows. The
 * error is UNSUPPORTED_DICOM if the markers of the picture are complete, else INVALID_DICOM.
 */
export async function startSturdyCodecs(module: WebAssembly.Module): Promise<Codecs> {
  let codecs = await startCodecs(module);
  const decodeOnce = async (frame: CodedFrame): Promise<Uint8Array | CodecFault> => {
    try {
      return await codecs.decode(frame);
    } catch (error) {
      if (!(error instanceof CodecFault)) throw error;
      codecs = await startCodecs(module);
      return error;
    }
  };
  return {
    async decode(frame) {
      const isJpegLs = frame.coding === "DecodeJpegLs";
      const isWhole = () => hasWholeForm(frame.bytes, frame.coding);
      // The decoder accepts no truncated JPEG-LS picture, but may run for minutes on it.
      if (isJpegLs && !isWhole()) throw new AppError("INVALID_DICOM", because("dicomNotDecoded"));
      const samples = await decodeOnce(frame);
      if (!(samples instanceof CodecFault)) return samples;
      for (const bytes of isJpegLs ? plainJpegLs(frame.bytes) : []) {
        const found = await decodeOnce({ ...frame, bytes });
        if (!(found instanceof CodecFault)) return found;
      }
      throw isWhole()
        ? new AppError("UNSUPPORTED_DICOM", because("dicomDecoderGaveUp"), { cause: samples })
        : new AppError("INVALID_DICOM", because("dicomNotDecoded"), { cause: samples });
    },
    memoryBytes: () => codecs.memoryBytes(),
  };
}
