import { z } from "zod";
import { repeatability } from "../../../core/cardiac/agreement/repeatability.ts";
import { calibration } from "../../../core/cardiac/measures/calibration.ts";
import { heartLandmarkNames } from "../../../core/cardiac/landmarks.ts";
import type { PackRelease } from "../../../core/cardiac/verdict/provenance.ts";
import { storableText } from "../../../core/storable-text.ts";
import {
  checkCorners,
  checkGate,
  checkLandmarks,
  cornerDecoding,
  gateDecoding,
  landmarkDecoding,
} from "./pack-decodings.ts";

/** Purpose of a pack. One folder contains one pack of one kind; an ensemble is one pack with several members. */
export const packKinds = ["landmarks", "landmarks-pop", "gate", "corners", "usg"] as const;
export type PackKind = (typeof packKinds)[number];

/** Texts that are stored, since names and versions of packs are kept with every measurement. */
const text = z
  .string()
  .min(1)
  .max(4000)
  .refine((value) => value === storableText(value), "must be well-formed Unicode without U+0000");
/** A plain file name inside the pack's folder: no separators, no drive, no parent, no hidden file. */
const fileName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*$/, "must be a plain file name")
  .max(100);
const packFile = z.object({ file: fileName, sha256: z.string().regex(/^[0-9a-f]{64}$/) });
const shape = z
  .array(
    z
      .int()
      .positive()
      .max(1 << 16),
  )
  .min(1)
  .max(6);
const tensor = z.object({ name: text, dtype: z.literal("float32"), shape });

/** Output of the first member for the golden input: its first values and their tolerance. */
const golden = z.object({
  inputSeed: z.int().min(0).max(0xffffffff),
  outputs: z
    .array(
      z.object({ name: text, values: z.array(z.number()).min(1).max(64), tolerance: z.number().positive().max(1) }),
    )
    .min(1),
});

const common = {
  format: z.literal(1),
  name: z.string().regex(/^[a-z0-9][a-z0-9.-]{0,63}$/),
  version: text,
  modelVersion: text,
  members: z.array(packFile).min(1).max(16),
  training: z.looseObject({ statement: text }),
  evaluation: z.looseObject({}),
  licence: text,
  /** The publisher's claim; see `discoverPacks` for its effect. */
  clinicallyValidated: z.boolean(),
};

const network = { ...common, input: tensor, outputs: z.array(tensor).min(1).max(8), golden };
/**
 * Networks, in one file, for the straightened column, cranial on the left and the thorax below. At n equidistant
 * positions from left to right each predicts the length of a vertebra, as a multiple of `vertebraPx`; together they
 * predict, for each vertebra of the decoding, the probability of its cranial edge there.
 */
const columnNetwork = packFile.extend({
  input: tensor.refine(({ shape: [one, grey, ...sides] }) => one === 1 && grey === 1 && sides.length === 2, {
    error: "shape must be [1, 1, height, width]",
  }),
  outputs: z
    .tuple([tensor, tensor])
    .refine(
      ([{ shape: lengths }, { shape: names }]) =>
        lengths.length === 2 && names.length === 3 && names[0] === 1 && lengths[1] === names[2],
      { error: "shapes must be [networks, n] and [1, vertebrae, n]" },
    ),
  golden,
  /** Length of a usual vertebra in the input [px]. */
  vertebraPx: z.number().positive().max(1000),
});
/**
 * Networks, in one file, for a close-up of the heart, carina above and cranial border on the left. Each returns the
 * heart's points as fractions of the side, and its silhouette as logits.
 */
const heartNetwork = packFile.extend({
  input: tensor.refine(({ shape: [one, grey, ...sides] }) => one === 1 && grey === 1 && isSquare(sides), {
    error: "shape must be [1, 1, side, side]",
  }),
  outputs: z
    .tuple([tensor, tensor])
    .refine(
      ([{ shape: points }, { shape: silhouettes }]) =>
        points.length === 3 &&
        points[1] === heartLandmarkNames.length &&
        points[2] === 2 &&
        isSquare(silhouettes.slice(1)) &&
        points[0] === silhouettes[0],
      { error: "shapes must be [n, 5, 2] and [n, cells, cells]" },
    ),
  golden,
  /** Mean of both axes as a fraction of the side. */
  heartShare: z.number().positive().max(1),
  /** Weight of these networks in a vote's axes; the rest is that of the members. */
  closeShare: z.number().min(0).max(1).default(0.5),
});
const landmarks = {
  ...network,
  decoding: landmarkDecoding,
  locator: packFile.optional(),
  column: columnNetwork.optional(),
  heart: heartNetwork.optional(),
  calibration: calibration.extend({ statement: text }).optional(),
  repeatability: repeatability.extend({ statement: text }).optional(),
};

export const packManifestSchema = z.discriminatedUnion("kind", [
  z.object({ ...landmarks, kind: z.literal("landmarks") }).superRefine(checkLandmarks),
  z.object({ ...landmarks, kind: z.literal("landmarks-pop") }).superRefine(checkLandmarks),
  z.object({ ...network, kind: z.literal("gate"), decoding: gateDecoding }).superRefine(checkGate),
  z.object({ ...network, kind: z.literal("corners"), decoding: cornerDecoding }).superRefine(checkCorners),
  z.looseObject({ ...common, kind: z.literal("usg") }),
]);

/** `release` follows from the signature; it is never read from the manifest itself. */
export type PackManifest = z.infer<typeof packManifestSchema> & { readonly release?: PackRelease | undefined };
export type NetworkManifest = Exclude<PackManifest, { kind: "usg" }>;
export type NetworkKind = NetworkManifest["kind"];
export type ManifestOf<Kind extends NetworkKind> = NetworkManifest & { readonly kind: Kind };
export type NetworkTensors = Pick<NetworkManifest, "input" | "outputs">;
export type ColumnManifest = z.infer<typeof columnNetwork>;
export type HeartManifest = z.infer<typeof heartNetwork>;
export type PackFile = z.infer<typeof packFile>;

export function filesOf(manifest: PackManifest): readonly PackFile[] {
  const { kind, members } = manifest;
  const further =
    kind === "landmarks" || kind === "landmarks-pop" ? [manifest.locator, manifest.column, manifest.heart] : [];
  return [...members, ...further.filter((file) => file !== undefined)];
}

function isSquare(sides: readonly number[]): boolean {
  return sides.length === 2 && sides[0] === sides[1];
}
