import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { AppError, because } from "../../../../core/app-error.ts";

/** Compressions of pictures; except for RLE, each is the name of a decoding function of the codecs. */
export type PictureCoding = "DecodeRle" | "DecodeJpeg" | "DecodeJpegLs" | "DecodeJpeg2000" | "DecodeHtJpeg2000";

export type CodedFrame = {
  readonly coding: Exclude<PictureCoding, "DecodeRle">;
  readonly bytes: Uint8Array;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly samplesPerPixel: 1 | 3;
  readonly bitsAllocated: 8 | 16;
  readonly bitsStored: number;
  readonly isSigned: boolean;
};

type CodecExports = Readonly<Record<string, (...values: number[]) => number>> & { readonly memory: WebAssembly.Memory };

/**
 * Compiles the codecs of dcmjs-codecs. Uses their WebAssembly directly: an error leaves the memory of an instance in an
 * unknown state, and a new instance starts within a millisecond.
 */
export async function compileCodecs(): Promise<WebAssembly.Module> {
  return WebAssembly.compile(
    await readFile(createRequire(import.meta.url).resolve("dcmjs-codecs/build/dcmjs-native-codecs.wasm")),
  );
}

/** The codec rejected its input or crashed; its errors do not distinguish the two. */
export class CodecFault extends Error {}

/** libjpeg's warnings about missing or damaged samples; extraneous bytes between segments are harmless. */
const jpegDamage = /Corrupt JPEG data: (?!\d+ extraneous)|Inconsistent progression/;

/** One instance of the codecs; unusable after it has thrown a CodecFault. */
export type Codecs = {
  /** 16-bit samples are little endian. @throws CodecFault, and AppError INVALID_DICOM for an incomplete JPEG picture */
  decode(frame: CodedFrame): Promise<Uint8Array>;
  memoryBytes(): number;
};

/** Starts an instance. The module limits its memory to 2 GiB. */
export async function startCodecs(module: WebAssembly.Module): Promise<Codecs> {
  let exports: CodecExports | null = null;
  let isDamaged = false;
  const textAt = (at: number, length: number) =>
    Buffer.from(exports?.memory.buffer ?? new ArrayBuffer(0), at, length).toString("latin1");
  const nothing = () => 0;
  const instance = await WebAssembly.instantiate(module, {
    env: {
      onCodecsException: (at: number, length: number) => {
        throw new Error(textAt(at, length));
      },
      onCodecsInfo: (at: number, length: number) => {
        isDamaged ||= jpegDamage.test(textAt(at, length));
      },
      onCodecsTrace: nothing,
      emscripten_notify_memory_growth: nothing,
    },
    wasi_snapshot_preview1: {
      proc_exit: (status: number) => {
        throw new Error(`the codec ended with status ${status}`);
      },
      clock_time_get: nothing,
      environ_get: nothing,
      environ_sizes_get: (countAt: number, sizeAt: number) => {
        const view = new DataView((exports as CodecExports).memory.buffer);
        view.setUint32(countAt, 0, true);
        view.setUint32(sizeAt, 0, true);
        return 0;
      },
      // Discard the libraries' standard output and report all of it as written.
      fd_write: (_file: number, vectors: number, count: number, writtenAt: number) => {
        const view = new DataView((exports as CodecExports).memory.buffer);
        let written = 0;
        for (let index = 0; index < count; index += 1) written += view.getUint32(vectors + 8 * index + 4, true);
        view.setUint32(writtenAt, written, true);
        return 0;
      },
      fd_close: nothing,
      fd_seek: nothing,
    },
  });
  const codecs = (exports = instance.exports as unknown as CodecExports);
  return {
    async decode(frame) {
      isDamaged = false;
      const samples = await orFault(() => decodeWith(codecs, frame));
      if (isDamaged) throw new AppError("INVALID_DICOM", because("dicomCodedIncomplete"));
      return samples;
    },
    memoryBytes: () => codecs.memory.buffer.byteLength,
  };
}

async function orFault<Value>(decode: () => Value): Promise<Value> {
  try {
    return decode();
  } catch (cause) {
    throw new CodecFault(cause instanceof Error ? cause.message : "", { cause });
  }
}

function decodeWith(codecs: CodecExports, frame: CodedFrame): Uint8Array {
  const call = (name: string, ...values: number[]): number => {
    const run = codecs[name];
    if (!run) throw new Error(`the codecs have no ${name}`);
    return run(...values);
  };
  const context = call("CreateCodecsContext");
  call("SetColumns", context, frame.widthPx);
  call("SetRows", context, frame.heightPx);
  call("SetBitsAllocated", context, frame.bitsAllocated);
  call("SetBitsStored", context, frame.bitsStored);
  call("SetSamplesPerPixel", context, frame.samplesPerPixel);
  call("SetPixelRepresentation", context, frame.isSigned ? 1 : 0);
  call("SetPlanarConfiguration", context, 0);
  call("SetPhotometricInterpretation", context, frame.samplesPerPixel === 1 ? monochrome2 : rgb);
  call("SetEncodedBufferSize", context, frame.bytes.length);
  new Uint8Array(codecs.memory.buffer).set(frame.bytes, call("GetEncodedBuffer", context));
  const parameters = call("CreateDecoderParameters");
  call(frame.coding, context, parameters);
  const at = call("GetDecodedBuffer", context);
  const bytes = new Uint8Array(codecs.memory.buffer, at, call("GetDecodedBufferSize", context)).slice();
  call("ReleaseDecoderParameters", parameters);
  call("ReleaseCodecsContext", context);
  return bytes;
}

/** Indices in the codecs' list of photometric interpretations; these two leave the samples unconverted. */
const monochrome2 = 1;
const rgb = 3;
