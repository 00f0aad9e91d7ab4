import { InferenceSession, Tensor } from "onnxruntime-node";
import { AppError, because } from "../../../core/app-error.ts";
import { goldenInput } from "./golden-input.ts";
import type { NetworkManifest, NetworkTensors } from "../packs/pack-manifest.ts";
import { valueCount } from "../packs/pack-tensors.ts";
import { notRunnable } from "../packs/pack-refusal.ts";

/** An open network. `run` returns its outputs by name, in the order of the manifest, in memory shared by threads. */
export type NetworkSession = {
  run(input: Float32Array): Promise<ReadonlyMap<string, Float32Array>>;
  release(): Promise<void>;
};

/**
 * Opens a network and checks that its inputs and outputs are those stated. `cores`: number of cores of a run.
 *
 * @throws AppError PACK_REFUSED
 */
export async function openNetwork(bytes: Uint8Array, stated: NetworkTensors, cores: number): Promise<NetworkSession> {
  const session = await createSession(bytes, cores);
  try {
    assertTensors("input", [stated.input], session.inputMetadata);
    assertTensors("output", stated.outputs, session.outputMetadata);
  } catch (error) {
    await session.release();
    throw error;
  }
  const { name, shape } = stated.input;
  return {
    async run(input) {
      const outputs = new Map(stated.outputs.map((output) => [output.name, sharedFloats(output.shape)]));
      const tensors = stated.outputs.map((output) => [
        output.name,
        new Tensor("float32", outputs.get(output.name) as Float32Array, output.shape),
      ]);
      await session.run(
        { [name]: new Tensor("float32", input, shape) },
        Object.fromEntries(tensors) as InferenceSession.OnnxValueMapType,
      );
      return outputs;
    },
    release: () => session.release(),
  };
}

export type Golden = Pick<NetworkManifest, "input" | "golden">;

/** @throws AppError PACK_REFUSED if the network does not run, or returns values that are not finite */
export async function runGolden(network: NetworkSession, { input, golden }: Golden) {
  const outputs = await network.run(goldenInput(golden.inputSeed, input.shape)).catch((cause: unknown) => {
    throw notRunnable(cause);
  });
  for (const [name, values] of outputs)
    if (!values.every(Number.isFinite)) throw notRunnable(new Error(`${name} has values that are not finite`));
  return outputs;
}

/** @throws AppError PACK_REFUSED with the output that differs, or the reason why the network does not run */
export async function assertGolden(network: NetworkSession, stated: Golden): Promise<void> {
  const outputs = await runGolden(network, stated);
  for (const { name, values, tolerance } of stated.golden.outputs) {
    const found = outputs.get(name);
    // Negated, so that a stated value without a counterpart (NaN) fails too.
    const isSame =
      found !== undefined && values.every((value, index) => Math.abs((found[index] ?? NaN) - value) <= tolerance);
    if (!isSame) throw new AppError("PACK_REFUSED", because("packGoldenOther", { name }));
  }
}

/** Output buffer that every thread can read; onnxruntime-node's additional copy is left to the garbage collector. */
function sharedFloats(shape: readonly number[]): Float32Array {
  return new Float32Array(new SharedArrayBuffer(valueCount(shape) * Float32Array.BYTES_PER_ELEMENT));
}

async function createSession(bytes: Uint8Array, cores: number): Promise<InferenceSession> {
  try {
    return await InferenceSession.create(bytes, {
      intraOpNumThreads: cores,
      interOpNumThreads: 1,
      graphOptimizationLevel: "all",
      // The arena would keep every member's activations between images: 400 MB for five members, for no gain in speed.
      enableCpuMemArena: false,
      // Idle threads sleep instead of spinning, which leaves the cores to decoding and to the user.
      extra: { session: { intra_op: { allow_spinning: "0" } } },
      logSeverityLevel: 3,
    });
  } catch (cause) {
    throw notRunnable(cause);
  }
}

function assertTensors(
  role: string,
  stated: NetworkTensors["outputs"],
  found: readonly InferenceSession.ValueMetadata[],
): void {
  for (const { name, dtype, shape } of stated) {
    const tensor = found.find((candidate) => candidate.name === name);
    if (!tensor?.isTensor) throw new AppError("PACK_REFUSED", because("packTensorMissing", { role, name }));
    const isSame =
      tensor.type === dtype &&
      tensor.shape.length === shape.length &&
      shape.every((side, index) => side === tensor.shape[index]);
    if (!isSame)
      throw new AppError(
        "PACK_REFUSED",
        because("packTensorOther", {
          role,
          name,
          found: `${tensor.type} [${tensor.shape.join(",")}]`,
          stated: `${dtype} [${shape.join(",")}]`,
        }),
      );
  }
  if (role === "input" && found.length !== stated.length)
    throw new AppError("PACK_REFUSED", because("packFurtherInputs"));
}
