import { rejectedKinds, type TakenFor } from "../../../core/cardiac/radiograph-measurement.ts";
import { gateOutputs, type GateDecoding, type GateKind, type GateOutput } from "../packs/pack-decodings.ts";

/** A verdict, its confidence, which is at least 0.5 for a rejection, and the calibrated probabilities of all kinds. */
export type GateVerdict = {
  readonly kind: GateKind;
  readonly confidence: number;
  readonly probabilities: Readonly<Record<GateKind, number>>;
  /** The likeliest of the kinds that are not accepted; absent where the pack has only `neither`. */
  readonly takenFor?: TakenFor;
  /** Present if the verdict is on the thorax alone, after the whole picture was rejected. */
  readonly isOfThoraxAlone?: true;
};

const sumTolerance = 1e-3;

/**
 * Decodes the gate's output, a softmax at the calibrated temperature in the order of `decoding.kinds`. Only P(neither),
 * the sum over all other kinds, rejects a picture: one that may be either a file or a photograph is still a radiograph.
 *
 * @throws RangeError if the output is not a probability distribution
 */
export function decodeGate(probabilities: Float32Array, decoding: GateDecoding): GateVerdict {
  const byOutput = distributionOver(probabilities, decoding.kinds);
  const { direct, pop } = byOutput;
  const byKind = { direct, pop, neither: byOutput.neither + sumOf(rejectedKinds.map((kind) => byOutput[kind])) };
  const accepted = byKind.direct >= byKind.pop ? "direct" : "pop";
  const limit =
    accepted === "direct" ? (decoding.rejectDirectAtOrAbove ?? decoding.rejectAtOrAbove) : decoding.rejectAtOrAbove;
  const isRejected = byKind.neither >= limit;
  const kind = isRejected ? "neither" : accepted;
  const confidence = isRejected ? rejectionConfidence(byKind) : 1 - byKind.neither;
  const named = rejectedKinds.filter((other) => decoding.kinds.includes(other));
  const [takenFor] = named.toSorted((a, b) => byOutput[b] - byOutput[a]);
  return { kind, confidence, probabilities: byKind, ...(takenFor && { takenFor }) };
}

/** Verdict on a picture that a check other than the gate's limit rejects. */
export function asRefused(verdict: GateVerdict): GateVerdict {
  return { ...verdict, kind: "neither", confidence: rejectionConfidence(verdict.probabilities) };
}

/** At least 0.5, since a limit below 0.5 or another check may reject a picture that the gate considers likely. */
function rejectionConfidence({ neither }: GateVerdict["probabilities"]): number {
  return Math.max(0.5, neither);
}

function distributionOver(values: Float32Array, kinds: readonly GateOutput[]): Record<GateOutput, number> {
  const sum = sumOf([...values]);
  // Negated, so that NaN fails too.
  if (!(Math.abs(sum - 1) <= sumTolerance) || values.some((value) => value < 0)) {
    throw new RangeError("The gate returned values that are not probabilities");
  }
  const byOutput = Object.fromEntries(gateOutputs.map((output) => [output, 0])) as Record<GateOutput, number>;
  kinds.forEach((kind, index) => (byOutput[kind] = values[index] ?? 0));
  return byOutput;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
