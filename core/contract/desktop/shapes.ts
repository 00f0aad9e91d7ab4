import { z } from "zod";
import { confidenceTiers } from "../../cardiac/confidence.ts";
import { heartLandmarkNames } from "../../cardiac/landmarks.ts";

/** A row's identity. */
export const id = z.string().min(1).max(64);
/** ISO 8601 time stamp in UTC. */
export const time = z.iso.datetime();
/** UTC calendar month, `2026-11`. */
export const month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/);
/** A request without content. */
export const nothing = z.strictObject({});
/** A text file for the user to save; the renderer turns it into a download. */
export const textFile = z.object({ fileName: z.string(), mediaType: z.string(), text: z.string() });
/** A file too large for a message: fetched once from a path of the same origin. */
export const download = z.object({ fileName: z.string(), url: z.string().startsWith("/app/") });
/** A failure in the words of the error catalogue. */
export const failure = z.object({ code: z.string(), message: z.string() });
/** How many rows to answer and from where. */
export const page = { limit: z.int().min(1).max(1000).default(200), offset: z.int().min(0).default(0) };

/** A place in the processed film [px]: origin at the centre of the top left pixel, x right, y down. */
export const point = z.object({ x: z.number(), y: z.number() });
export const tier = z.enum(confidenceTiers);

const [top, bottom, right, left] = heartLandmarkNames;
/**
 * The heart points of a reading; `VLAS` is null where a person left it out. `heart_right` is the cranial end of the
 * short axis.
 */
export const heartPoints = z.object({
  [top]: point,
  [bottom]: point,
  [right]: point,
  [left]: point,
  VLAS: point.nullable(),
});
/** Vertebral edges, cranial edge of T4 (Vertebra A) first, caudally, past Vertebra B where they were found. */
export const vertebralEdges = z.array(point).min(2).max(16);

/** What landmarks and ruler say [v], unrounded; the same fields as core's HeartScore. */
export const score = z.object({
  vhs: z.number().nullable(),
  vlas: z.number().nullable(),
  longAxisVertebrae: z.number().nullable(),
  shortAxisVertebrae: z.number().nullable(),
  axesAngleDeg: z.number(),
  areAxesPerpendicular: z.boolean(),
  isGeometryValid: z.boolean(),
});

/** Which program, pack and bytes a value comes from. */
export const provenance = z.object({
  imageSha256: z.string(),
  packName: z.string(),
  packVersion: z.string(),
  modelVersion: z.string(),
  programVersion: z.string(),
  /** Readings of earlier versions do not say it. */
  isClinicallyValidated: z.boolean().default(false),
});
