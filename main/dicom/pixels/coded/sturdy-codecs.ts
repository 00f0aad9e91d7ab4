import { CodecFault, startCodecs, type CodedFrame, type Codecs } from "./codec-module.ts";
import { plainJpegLs } from "./coded-form.ts";

/**
 * Codecs that replace an instance after a fault, whose memory is in an unknown state. After a fault on a JPEG-LS
 * picture, retries with a simplified form: the prebuilt decoder rejects many structures that the standard allows.
 */
export async function startSturdyCodecs(module: WebAssembly.Module): Promise<Codecs> {
  let codecs = await startCodecs(module);
  const decodeOnce = async (frame: CodedFrame): Promise<Uint8Array> => {
    try {
      return await codecs.decode(frame);
    } catch (error) {
      codecs = await startCodecs(module);
      throw error;
    }
  };
  return {
    async decode(frame) {
      try {
        return await decodeOnce(frame);
      } catch (error) {
        if (!(error instanceof CodecFault) || frame.coding !== "DecodeJpegLs") throw error;
        for (const bytes of plainJpegLs(frame.bytes)) {
          const samples = await decodeOnce({ ...frame, bytes }).catch(() => null);
          if (samples !== null) return samples;
        }
        throw error;
      }
    },
    memoryBytes: () => codecs.memoryBytes(),
  };
}
