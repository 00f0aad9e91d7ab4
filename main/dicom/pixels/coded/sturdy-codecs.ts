import { CodecFault, startCodecs, type CodedFrame, type Codecs } from "./codec-module.ts";
import { hasWholeForm, plainJpegLs } from "./coded-form.ts";

/**
 * Codecs that replace their instance after an error, which leaves its memory in an unknown state. A JPEG-LS picture is
 * then retried in a simplified form, since the prebuilt decoder rejects many structures that the standard allows.
 * A CodecFault reports whether the markers of the picture are complete.
 */
export async function startSturdyCodecs(module: WebAssembly.Module): Promise<Codecs> {
  let codecs = await startCodecs(module);
  const decodeOnce = async (frame: CodedFrame): Promise<Uint8Array> => {
    try {
      return await codecs.decode(frame);
    } catch (error) {
      if (error instanceof CodecFault) codecs = await startCodecs(module);
      throw error;
    }
  };
  return {
    async decode(frame) {
      // The decoder accepts no truncated JPEG-LS picture, but may run for minutes on it.
      if (frame.coding === "DecodeJpegLs" && !hasWholeForm(frame.bytes, frame.coding))
        throw new CodecFault("JPEG-LS without all markers");
      try {
        return await decodeOnce(frame);
      } catch (error) {
        if (!(error instanceof CodecFault)) throw error;
        const others = frame.coding === "DecodeJpegLs" ? plainJpegLs(frame.bytes) : [];
        for (const bytes of others) {
          const samples = await decodeOnce({ ...frame, bytes }).catch(() => null);
          if (samples !== null) return samples;
        }
        throw new CodecFault(error.message, { cause: error, isFormWhole: hasWholeForm(frame.bytes, frame.coding) });
      }
    },
    memoryBytes: () => codecs.memoryBytes(),
  };
}
