import { gateKinds, type GateDecoding, type GateKind } from "../packs/pack-decodings.ts";

/** A verdict with its calibrated probabilities; `confidence` is the probability that the verdict is right. */
export type GateVerdict = {
  readonly kind: GateKind;
  readonly confidence: number;
  readonly probabilities: Readonly<Record<GateKind, number>>;
};

const sumTolerance = 1e-3;

/**
 * Reads the gate's output.
 *
 * Accepting is weighed apart from telling the two accepted kinds from one another: a radiograph that might be
 * either a file or a photograph is still a radiograph, so only P(neither) rejects.
 *
 * @param probabilities  Float32Array [1,3], softmax at the calibrated temperature, in the order of `decoding.kinds`
 * @throws RangeError    when the output is not a probability distribution over `decoding.kinds`
 */
export function decodeGate(probabilities: Float32Array, decoding: GateDecoding): GateVerdict {
  const byKind = distributionOver(probabilities, decoding.kinds);
  const accepted = byKind.direct >= byKind.pop ? "direct" : "pop";
  const limit =
    accepted === "direct" ? (decoding.rejectDirectAtOrAbove ?? decoding.rejectAtOrAbove) : decoding.rejectAtOrAbove;
  const isRejected = byKind.neither >= limit;
  const kind = isRejected ? "neither" : accepted;
  const confidence = kind === "neither" ? byKind.neither : 1 - byKind.neither;
  return { kind, confidence, probabilities: byKind };
}

function distributionOver(values: Float32Array, kinds: readonly GateKind[]): Record<GateKind, number> {
  if (values.length !== gateKinds.length || new Set(kinds).size !== gateKinds.length) {
    throw new RangeError(`The gate must give one probability for each of ${gateKinds.join(", ")}`);
  }
  const sum = values.reduce((total, value) => total + value, 0);
  // Negated, so that NaN fails too.
  if (!(Math.abs(sum - 1) <= sumTolerance) || values.some((value) => value < 0)) {
    throw new RangeError("The gate gave values that are no probabilities");
  }
  const byKind: Record<GateKind, number> = { direct: 0, pop: 0, neither: 0 };
  kinds.forEach((kind, index) => (byKind[kind] = values[index] ?? 0));
  return byKind;
}
