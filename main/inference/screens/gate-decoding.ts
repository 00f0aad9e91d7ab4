import { takenForKinds, type TakenFor } from "../../../core/cardiac/radiograph-measurement.ts";
import { gateOutputs, type GateDecoding, type GateKind, type GateOutput } from "../packs/pack-decodings.ts";

/**
 * A verdict with its calibrated probabilities; `confidence` in it is 0.5–1 for a rejection, whichever check rejected.
 */
export type GateVerdict = {
  readonly kind: GateKind;
  readonly confidence: number;
  readonly probabilities: Readonly<Record<GateKind, number>>;
  /** The likeliest of the kinds that are not accepted; absent where the pack has only `neither`. */
  readonly takenFor?: TakenFor;
  /** It was given on the thorax alone: the picture as a whole was refused. */
  readonly isOfThoraxAlone?: true;
};

const sumTolerance = 1e-3;

/**
 * Reads the gate's output.
 *
 * Accepting is weighed apart from telling the two accepted kinds from one another: a radiograph that might be
 * either a file or a photograph is still a radiograph, so only P(neither) rejects: the sum over all other kinds.
 *
 * @param probabilities  Float32Array [1,n], softmax at the calibrated temperature, in the order of `decoding.kinds`
 * @throws RangeError    when the output is not a probability distribution over `decoding.kinds`
 */
export function decodeGate(probabilities: Float32Array, decoding: GateDecoding): GateVerdict {
  const byOutput = distributionOver(probabilities, decoding.kinds);
  const { direct, pop } = byOutput;
  const byKind = { direct, pop, neither: byOutput.neither + sumOf(takenForKinds.map((kind) => byOutput[kind])) };
  const accepted = byKind.direct >= byKind.pop ? "direct" : "pop";
  const limit =
    accepted === "direct" ? (decoding.rejectDirectAtOrAbove ?? decoding.rejectAtOrAbove) : decoding.rejectAtOrAbove;
  const isRejected = byKind.neither >= limit;
  const kind = isRejected ? "neither" : accepted;
  const confidence = isRejected ? rejectionConfidence(byKind) : 1 - byKind.neither;
  const named = takenForKinds.filter((other) => decoding.kinds.includes(other));
  const [takenFor] = named.toSorted((a, b) => byOutput[b] - byOutput[a]);
  return { kind, confidence, probabilities: byKind, ...(takenFor && { takenFor }) };
}

/** The verdict where a check other than the gate's limit refuses the picture. */
export function refusedAfterAll(verdict: GateVerdict): GateVerdict {
  return { ...verdict, kind: "neither", confidence: rejectionConfidence(verdict.probabilities) };
}

/** A limit below 0.5 or another check can reject what the gate itself holds for likely: even odds then. */
function rejectionConfidence({ neither }: GateVerdict["probabilities"]): number {
  return Math.max(0.5, neither);
}

function distributionOver(values: Float32Array, kinds: readonly GateOutput[]): Record<GateOutput, number> {
  if (values.length !== kinds.length || new Set(kinds).size !== kinds.length) {
    throw new RangeError(`The gate must give one probability for each of ${kinds.join(", ")}`);
  }
  const sum = sumOf([...values]);
  // Negated, so that NaN fails too.
  if (!(Math.abs(sum - 1) <= sumTolerance) || values.some((value) => value < 0)) {
    throw new RangeError("The gate gave values that are not probabilities");
  }
  const byOutput = Object.fromEntries(gateOutputs.map((output) => [output, 0])) as Record<GateOutput, number>;
  kinds.forEach((kind, index) => (byOutput[kind] = values[index] ?? 0));
  return byOutput;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
