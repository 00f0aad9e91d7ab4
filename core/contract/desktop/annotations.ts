import { z } from "zod";
import type { Channels } from "../channel.ts";
import { nameOf } from "../../identifiers.ts";
import { annotationToolNames, hasPointsFor } from "../../annotations/annotation-tools.ts";
import { corners, id, point, time } from "./shapes.ts";

export const maxDrawings = 200;

const annotation = z
  .strictObject({
    id,
    tool: z.enum(annotationToolNames),
    points: z.array(point).min(1).max(60),
    text: z.string().max(200),
  })
  .refine(({ tool, points }) => hasPointsFor(tool, points.length), {
    path: ["points"],
    error: "this tool requires a different number of points",
  });

const sidePx = z.int().min(1).max(100_000);

export const annotationSet = z.strictObject({
  /** Size of the picture that all points refer to [px]. */
  frame: z.strictObject({ widthPx: sidePx, heightPx: sidePx }),
  /** Corners of the picture in the photograph; null if the file is the picture. */
  corners: corners.nullable(),
  /** A calibrated length on the film, used if the file has no pixel spacing. */
  calibration: z
    .strictObject({ from: point, to: point, lengthMm: z.number().positive().max(10_000) })
    .refine(({ from, to }) => Math.hypot(to.x - from.x, to.y - from.y) >= 1, {
      path: ["to"],
      error: "a known length requires two distinct points",
    })
    .nullable(),
  annotations: z.array(annotation).max(maxDrawings),
});

/** One version of a film's annotations. Versions are immutable: each change adds one, the last one is current. */
const annotationVersion = z.object({
  /** 1, 2, … in the order of writing. */
  version: z.int().min(1),
  at: time,
  /** null if no user is signed in and no name was given. */
  who: z.string().nullable(),
  set: annotationSet,
});

export const annotationsContract = {
  /** Oldest first. */
  "annotations.list": {
    request: z.strictObject({ filmId: id }),
    response: z.object({ versions: z.array(annotationVersion) }),
    permission: "look",
    isAvailableWithoutDatabase: true,
  },
  /** `basedOn`: the version that was changed, 0 for none. CONFLICT if it or the displayed picture has changed. */
  "annotations.save": {
    request: z.strictObject({
      filmId: id,
      basedOn: z.int().min(0),
      /** Ignored if sign-in is on: the author is then the signed-in user. */
      who: nameOf(100).default(""),
      set: annotationSet,
    }),
    response: annotationVersion,
    permission: "prepare",
  },
} as const satisfies Channels;

export type AnnotationSet = z.infer<typeof annotationSet>;
export type AnnotationVersion = z.infer<typeof annotationVersion>;
