import { CodecFault, startCodecs, type CodedFrame, type Codecs } from "./codec-module.ts";
import { hasWholeForm, plainJpegLs } from "./coded-form.ts";

/**
 * Codecs that replace an instance after a fault, whose memory is in an unknown state. After a fault on a JPEG-LS
 * picture, retries with a simplified form: the prebuilt decoder rejects many structures that the standard allows.
 * Faults report whether the picture is whole by its markers.
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
