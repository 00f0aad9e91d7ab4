import { z } from "zod";
import { confidenceTiers, reviewReasonKinds } from "../../cardiac/confidence.ts";
import { heartLandmarkNames, type AxisName, type HeartLandmarkName } from "../../cardiac/landmarks.ts";
import {
  measures,
  type HandMeasureName,
  type HandPointName,
  type NetworkMeasureName,
} from "../../cardiac/measures/measures.ts";
import { cutParts, rejectionReasons } from "../../cardiac/verdict/verdict-facts.ts";

export const id = z.string().min(1).max(64);
/** Made by the page for a file that it asks for, to cancel it. */
export const exportId = z.uuid();
export const time = z.iso.datetime();
export const month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/);
export const nothing = z.strictObject({});
/** A text file for the user to save; the renderer turns it into a download. */
export const textFile = z.object({ fileName: z.string(), mediaType: z.string(), text: z.string() });
/** A file too large for a message: fetched once from a path of the same origin. */
export const download = z.object({ fileName: z.string(), url: z.string().startsWith("/app/") });
/** Details of a failure: key of a text and its values. */
export const reason = z.object({
  name: z.string(),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
});
/**
 * A failure of the error catalogue. The page makes its text of `reason`, or else of `code`; `message` is English, for
 * logs and for other programs.
 */
export const failure = z.object({
  code: z.string(),
  message: z.string(),
  reason: reason.optional(),
});
/** A failure in the background; `name`: the file concerned. */
export const fault = failure.extend({ at: time, name: z.string().optional() });
export type Failure = z.infer<typeof failure>;
export const page = { limit: z.int().min(1).max(1000).default(200), offset: z.int().min(0).default(0) };

/** A place in the processed film [px]: origin at the centre of the top left pixel, x right, y down. */
export const point = z.object({ x: z.number(), y: z.number() });
/** Corners of a film in a photograph of it, TL,TR,BR,BL [px of the processed photograph]. */
export const corners = z.tuple([point, point, point, point]);
export const tier = z.enum(confidenceTiers);
/** A stretch of vertebrae [v], unrounded. */
export const interval = z.object({ low: z.number(), high: z.number() });

/**
 * Heart points of a reading; the end of a measure's own line is null if a user left it out, and absent if only users
 * place it. `heart_right` is the cranial end of the short axis.
 */
export const heartPoints = z.object({
  heart_top: point,
  heart_bottom: point,
  heart_right: point,
  heart_left: point,
  ...ownPointFields(),
});
/** Vertebral edges, cranial edge of T4 (Vertebra A) first, caudally, past Vertebra B where they were found. */
export const vertebralEdges = z.array(point).min(2).max(16);

type MeasureFields<Value extends z.ZodType> = { readonly [Name in NetworkMeasureName]: Value } & {
  readonly [Name in HandMeasureName]: z.ZodOptional<Value>;
};
type OwnPointFields = {
  readonly [Name in Exclude<HeartLandmarkName, AxisName>]: z.ZodNullable<typeof point>;
} & { readonly [Name in HandPointName]: z.ZodOptional<z.ZodNullable<typeof point>> };

/** One field per measure, absent if only users place it and it was not placed. */
export function measureFields<Value extends z.ZodType>(value: Value): MeasureFields<Value> {
  return Object.fromEntries(
    measures.map(({ name, placedBy }) => [name, placedBy === "networks" ? value : value.optional()]),
  ) as MeasureFields<Value>;
}

function ownPointFields(): OwnPointFields {
  const ends = measures.flatMap(({ line, placedBy }) => (line ? [{ point: line.point, placedBy }] : []));
  return Object.fromEntries(
    ends.map((end) => [end.point, end.placedBy === "networks" ? point.nullable() : point.nullable().optional()]),
  ) as OwnPointFields;
}

/** Scores from landmarks and ruler [v], unrounded; the fields of core's HeartScore. */
export const score = z.object({
  ...measureFields(z.number().nullable()),
  longAxisVertebrae: z.number().nullable(),
  shortAxisVertebrae: z.number().nullable(),
  axesAngleDeg: z.number(),
  areAxesPerpendicular: z.boolean(),
  isGeometryValid: z.boolean(),
});

/** Facts for a film's verdict, see core/cardiac/verdict; scores in vertebrae, unrounded. */
export const verdictFacts = z.object({
  tier: tier.nullable(),
  resultCode: z.int().min(0).max(7).nullable(),
  vhs: z.number().nullable(),
  placement: z.object({ how: z.enum(["corrected", "by_hand"]), who: z.string().nullable() }).nullable(),
  rejection: z.object({ who: z.string().nullable(), reason: z.enum(rejectionReasons).nullable() }).nullable(),
  reasons: z.array(z.enum(reviewReasonKinds)).readonly(),
  otherVhs: z.number().nullable(),
  leastCertain: z.enum(heartLandmarkNames).nullable(),
  cutOff: z.enum(cutParts).nullable(),
  uneven: z.object({ index: z.int(), share: z.number() }).nullable(),
  vhsInterval: interval.nullable(),
});

export const packRelease = z.object({ publisher: z.string(), fingerprint: z.string(), releasedBy: z.string() });

export const provenance = z.object({
  imageSha256: z.string(),
  packName: z.string(),
  packVersion: z.string(),
  modelVersion: z.string(),
  programVersion: z.string(),
  /** Absent in older readings. */
  isClinicallyValidated: z.boolean().default(false),
  release: packRelease.optional(),
});
