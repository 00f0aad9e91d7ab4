import { z } from "zod";
import { AppError, because } from "../../../core/app-error.ts";
import { heartLandmarkNames } from "../../../core/cardiac/landmarks.ts";
import { takenForKinds } from "../../../core/cardiac/radiograph-measurement.ts";
import {
  votersOf,
  type ColumnManifest,
  type ManifestOf,
  type NetworkKind,
  type NetworkTensors,
} from "./pack-manifest.ts";

/** Classes of the gate: a lateral thorax as a file, a photograph of a screen showing one, or neither. */
const gateKinds = ["direct", "pop", "neither"] as const;
export type GateKind = (typeof gateKinds)[number];

/** Meanings of the gate's outputs: either one for `neither`, or one for each kind of other picture. */
export const gateOutputs = [...gateKinds, ...takenForKinds] as const;
export type GateOutput = (typeof gateOutputs)[number];

const gate = z.object({
  /** Order of the network's outputs: both accepted kinds, and `neither` or the others by name. */
  kinds: z
    .array(z.enum(gateOutputs))
    .min(gateKinds.length)
    .refine((kinds) => kinds.includes("direct") && kinds.includes("pop"), "direct and pop must be among them")
    .refine((kinds) => new Set(kinds).size === kinds.length, "no kind may come twice"),
  /** A picture is rejected when the probability of `neither` reaches this value, 0–1. */
  rejectAtOrAbove: z.number().min(0).max(1),
  /** Limit for a picture that is more likely a file than a photograph; default `rejectAtOrAbove`. */
  rejectDirectAtOrAbove: z.number().min(0).max(1).optional(),
  /** Limit for a rectified film; default `rejectAtOrAbove`. */
  rejectRectifiedAtOrAbove: z.number().min(0).max(1).optional(),
});

/** Maps of a corner network: the corners TL, TR, BR, BL, then the sides top, right, bottom, left. */
export const cornerMapCount = 8;

const corners = z.object({
  /** Input pixels per heat-map cell. */
  stridePx: z.number().positive(),
  /** Half width of the window whose weighted mean refines a peak [cells]. */
  refineCells: z.int().min(0),
  /** Least mean evidence of corners and sides for a found film, 0–1. */
  minimumEvidence: z.number().min(0).max(1),
  /** The film covers at least this part of the picture's area. */
  minimumAreaFraction: z.number().min(0).max(1),
  /** The second look is a crop in which the film's bounding box takes this part of each side. */
  secondLookFill: z.number().positive().max(1),
});

/** The pose rests on the column from T3 to T12 and on T8, the rulers begin with T4. */
const neededVertebrae = ["T3", "T4", "T8", "T12"];

const numbered = (letter: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${letter}${index + 1}`);
/** A dog's or cat's vertebrae up to the sacrum, cranial to caudal. */
const column = [...numbered("C", 7), ...numbered("T", 13), ...numbered("L", 7)];

const landmarks = z.object({
  /** Order of the heart's maps; the vertebrae's follow, then the map of any disc. */
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
      "must follow each other from cranial to caudal",
    ),
  /** Input pixels per heat-map cell. */
  stride: z.int().positive(),
  /** The upright crop; see `CropRules`. */
  crop: z.object({
    vertebrae: z.number().positive(),
    centreVentralOfT8: z.number(),
    memberViews: z.array(z.object({ turnDeg: z.number(), scale: z.number().positive() })).min(1),
  }),
  /** Which map holds the heart's silhouette as logits; packs without one measure on the axes that they vote. */
  silhouette: z.object({ map: z.int().positive() }).optional(),
  /** Mean sharpness of the heart's points above which a photograph's reading counts as sharp, 0–1. */
  sharpnessHigh: z.number().min(0).max(1),
});

/** Votes on a direct film: the spread of fewer would be 0, and every film `optimal`. */
const leastVoters = 2;

const schemas = { gate, corners, landmarks, "landmarks-pop": landmarks } satisfies Record<NetworkKind, z.ZodType>;

export type Decoding<Kind extends NetworkKind> = z.infer<(typeof schemas)[Kind]>;
export type GateDecoding = Decoding<"gate">;
export type CornerDecoding = Decoding<"corners">;
export type LandmarkDecoding = Decoding<"landmarks">;

const checked = new WeakMap<ManifestOf<NetworkKind>, unknown>();

/**
 * A pack's decoding constants, checked once.
 *
 * @throws AppError PACK_REFUSED naming every field at fault
 */
export function decodingOf<Kind extends NetworkKind>(manifest: ManifestOf<Kind>): Decoding<Kind> {
  const decoding = checked.get(manifest) ?? checkedDecoding(manifest);
  checked.set(manifest, decoding);
  return decoding as Decoding<Kind>;
}

function checkedDecoding(manifest: ManifestOf<NetworkKind>): unknown {
  const { kind, decoding, outputs } = manifest;
  const parsed = schemas[kind].safeParse(decoding);
  if (!parsed.success) throw wrongField(`decoding: ${z.prettifyError(parsed.error).replaceAll("\n", " ")}`);
  if (manifest.kind === "landmarks" && votersOf(manifest) < leastVoters)
    throw wrongField(`members: ${leastVoters} networks or more must vote, or nothing tells how sure they are`);
  assertShapes(manifest, parsed.data);
  if ("silhouette" in parsed.data && parsed.data.silhouette) assertMap(parsed.data.silhouette.map, outputs);
  if ("vertebrae" in parsed.data && "column" in manifest && manifest.column)
    assertEveryName(manifest.column, parsed.data.vertebrae);
  return parsed.data;
}

/**
 * Checks shapes of inputs and outputs.
 *
 * @throws AppError PACK_REFUSED naming the tensor
 */
function assertShapes({ input, outputs }: NetworkTensors, decoding: Decoding<NetworkKind>): void {
  const side = input.shape.at(-1) as number;
  const isGrey = "vertebrae" in decoding;
  assertShape(input, [1, isGrey ? 1 : 3, side, side]);
  const first = outputs[0] as NetworkTensors["input"];
  if ("kinds" in decoding) assertShape(first, [1, decoding.kinds.length]);
  if ("stridePx" in decoding) {
    const cells = side / decoding.stridePx;
    assertShape(first, [1, cornerMapCount, cells, cells]);
  }
  if (!isGrey) return;
  const points = decoding.heartPoints.length + decoding.vertebrae.length;
  const cells = side / decoding.stride;
  const maps = outputs.find(({ name }) => name === "maps")?.shape[1] ?? 0;
  const wanted = {
    points: [1, points, 2],
    sharpness: [1, points],
    maps: [1, Math.max(points + 1, maps), cells, cells],
  };
  for (const [name, shape] of Object.entries(wanted)) {
    const output = outputs.find((candidate) => candidate.name === name);
    if (!output) throw wrongField(`outputs: ${name} is missing`);
    assertShape(output, shape);
  }
}

/** @throws AppError PACK_REFUSED */
function assertShape({ name, shape }: NetworkTensors["input"], wanted: readonly number[]): void {
  if (shape.join() !== wanted.join())
    throw wrongField(`${name} must have the shape [${wanted.join(", ")}] for this decoding`);
}

function wrongField(fields: string): AppError {
  return new AppError("PACK_REFUSED", because("packFieldsWrong", { name: "manifest.json", fields }));
}

/** @throws AppError PACK_REFUSED */
function assertEveryName({ outputs: [, names] }: ColumnManifest, vertebrae: readonly string[]): void {
  if (names.shape[1] === vertebrae.length) return;
  throw wrongField(
    `column.outputs: ${names.name} must have a row for each of the ${vertebrae.length} vertebrae of decoding`,
  );
}

/** @throws AppError PACK_REFUSED */
function assertMap(map: number, outputs: ManifestOf<NetworkKind>["outputs"]): void {
  const count = outputs.find(({ name }) => name === "maps")?.shape[1] ?? 0;
  if (map >= count) throw new AppError("PACK_REFUSED", because("packMapMissing", { map, count }));
}
