import { z } from "zod";
import { heartLandmarkNames } from "../../../core/cardiac/landmarks.ts";
import { rejectedKinds } from "../../../core/cardiac/radiograph-measurement.ts";
import { inputSidePx, votersOf, type VotingPack } from "./pack-tensors.ts";

/** Classes of the gate: a lateral thorax as a file, a photograph of a screen showing one, or neither. */
const gateKinds = ["direct", "pop", "neither"] as const;
export type GateKind = (typeof gateKinds)[number];

/** Meanings of the gate's outputs: either one for `neither`, or one for each kind of other picture. */
export const gateOutputs = [...gateKinds, ...rejectedKinds] as const;
export type GateOutput = (typeof gateOutputs)[number];

export const gateDecoding = z.object({
  /** Order of the network's outputs: both accepted kinds, and `neither` or the others by name. */
  kinds: z
    .array(z.enum(gateOutputs))
    .min(gateKinds.length)
    .refine((kinds) => kinds.includes("direct") && kinds.includes("pop"), "direct and pop must be among them")
    .refine((kinds) => new Set(kinds).size === kinds.length, "kinds must be unique"),
  /** A picture is rejected when the probability of `neither` reaches this value, 0–1. */
  rejectAtOrAbove: z.number().min(0).max(1),
  /** Limit for a picture that is more likely a file than a photograph; default `rejectAtOrAbove`. */
  rejectDirectAtOrAbove: z.number().min(0).max(1).optional(),
  /** Limit for a rectified film; default `rejectAtOrAbove`. */
  rejectRectifiedAtOrAbove: z.number().min(0).max(1).optional(),
});

/** Maps of a corner network: the corners TL, TR, BR, BL, then the sides top, right, bottom, left. */
export const cornerMapCount = 8;

export const cornerDecoding = z.object({
  /** Input pixels per heat-map cell. */
  stridePx: z.number().positive(),
  /** Half width of the window whose weighted mean refines a peak [cells]. */
  refineCells: z.int().min(0),
  /** Minimum mean evidence of a film's corners and sides, 0–1. */
  minimumEvidence: z.number().min(0).max(1),
  /** Minimum area of the film, as a fraction of the picture's. */
  minimumAreaFraction: z.number().min(0).max(1),
  /** Fraction of each side of the crop for the second look that the film's bounding box takes up. */
  secondLookFill: z.number().positive().max(1),
});

/** Vertebrae that the pose (T3 to T12 and T8) and the rulers (from T4) require. */
const neededVertebrae = ["T3", "T4", "T8", "T12"];

const numbered = (letter: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${letter}${index + 1}`);
/** A dog's or cat's vertebrae up to the sacrum, cranial to caudal. */
const column = [...numbered("C", 7), ...numbered("T", 13), ...numbered("L", 7)];

export const landmarkDecoding = z.object({
  /** Order of the heart's maps; the maps of the vertebrae follow, then the map of any disc. */
  heartPoints: z
    .array(z.string())
    .refine((names) => names.join() === heartLandmarkNames.join(), `must be ${heartLandmarkNames.join(", ")}`),
  /** Vertebrae whose cranial edge has a map, cranial to caudal. */
  vertebrae: z
    .array(z.string())
    .refine(
      (names) => neededVertebrae.every((name) => names.includes(name)),
      `${neededVertebrae.join(", ")} must be among them`,
    )
    .refine(
      (names) =>
        column
          .slice(column.indexOf(names[0] ?? ""))
          .slice(0, names.length)
          .join() === names.join(),
      "must be consecutive from cranial to caudal",
    ),
  /** Input pixels per heat-map cell. */
  stride: z.int().positive(),
  /** The upright crop: its side, and the distance of its centre ventral of T8 [vertebrae]. */
  crop: z.object({
    vertebrae: z.number().positive(),
    centreVentralOfT8: z.number(),
    /** Deviations from the crop, so that the votes do not depend on the same one. */
    memberViews: z.array(z.object({ turnDeg: z.number(), scale: z.number().positive() })).min(1),
  }),
  /** Index of the map with the logits of the heart's silhouette; packs without one measure the voted axes. */
  silhouette: z.object({ map: z.int().positive() }).optional(),
  /** Mean sharpness of the heart's points above which a photograph's reading counts as sharp, 0–1. */
  sharpnessHigh: z.number().min(0).max(1),
});

export type GateDecoding = z.infer<typeof gateDecoding>;
export type CornerDecoding = z.infer<typeof cornerDecoding>;
export type LandmarkDecoding = z.infer<typeof landmarkDecoding>;

type Tensor = { readonly name: string; readonly shape: readonly number[] };
type Network = { readonly input: Tensor; readonly outputs: readonly Tensor[] };
type LandmarkNetwork = Network &
  VotingPack & {
    readonly decoding: LandmarkDecoding;
    readonly column?: { readonly outputs: readonly [Tensor, Tensor] } | undefined;
  };

export function checkGate(gate: Network & { readonly decoding: GateDecoding }, context: z.RefinementCtx): void {
  if (context.issues.length > 0) return;
  const side = inputSidePx(gate);
  checkShape(gate.input, [1, 3, side, side], "input", context);
  checkShape(gate.outputs[0], [1, gate.decoding.kinds.length], "outputs", context);
}

export function checkCorners(corners: Network & { readonly decoding: CornerDecoding }, context: z.RefinementCtx): void {
  if (context.issues.length > 0) return;
  const side = inputSidePx(corners);
  const cells = side / corners.decoding.stridePx;
  checkShape(corners.input, [1, 3, side, side], "input", context);
  checkShape(corners.outputs[0], [1, cornerMapCount, cells, cells], "outputs", context);
}

/** Minimum number of votes on a direct film: with fewer, the spread would be 0 and every film `optimal`. */
const minVoters = 2;

export function checkLandmarks(landmarks: LandmarkNetwork, context: z.RefinementCtx): void {
  if (context.issues.length > 0) return;
  const { kind, input, outputs, column, decoding } = landmarks;
  const { heartPoints, vertebrae, stride, silhouette } = decoding;
  const side = inputSidePx(landmarks);
  const cells = side / stride;
  const points = heartPoints.length + vertebrae.length;
  const maps = outputs.find(({ name }) => name === "maps")?.shape[1] ?? 0;
  const wanted = {
    points: [1, points, 2],
    sharpness: [1, points],
    maps: [1, Math.max(points + 1, maps), cells, cells],
  };
  if (kind === "landmarks" && votersOf(landmarks) < minVoters)
    refuse(context, ["members"], `at least ${minVoters} networks must vote, since the spread of fewer is unknown`);
  checkShape(input, [1, 1, side, side], "input", context);
  for (const [name, shape] of Object.entries(wanted)) {
    const output = outputs.find((candidate) => candidate.name === name);
    if (output) checkShape(output, shape, "outputs", context);
    else refuse(context, ["outputs"], `${name} is missing`);
  }
  if (silhouette && silhouette.map >= maps)
    refuse(context, ["decoding", "silhouette", "map"], `there is no map ${silhouette.map} of ${maps}`);
  const names = column?.outputs[1];
  if (names && names.shape[1] !== vertebrae.length)
    refuse(context, ["column", "outputs"], `${names.name} must have a row for each of ${vertebrae.length} vertebrae`);
}

function checkShape(
  tensor: Tensor | undefined,
  wanted: readonly number[],
  field: "input" | "outputs",
  context: z.RefinementCtx,
): void {
  if (tensor && tensor.shape.join() !== wanted.join())
    refuse(context, [field], `${tensor.name} must have the shape [${wanted.join(", ")}] for this decoding`);
}

function refuse(context: z.RefinementCtx, path: string[], message: string): void {
  context.addIssue({ code: "custom", path, message });
}
