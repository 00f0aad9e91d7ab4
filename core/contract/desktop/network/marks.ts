import { z } from "zod";
import type { Channels } from "../../channel.ts";
import { id, point, time } from "../shapes.ts";

/** One mark: a line, a single point, or a text at a point. Closed lines end at their first point. */
const mark = z.object({ points: z.array(point).min(1).max(4000), text: z.string().max(1000).nullable() });

export const foreignMarks = z.object({
  sopInstanceUid: z.string(),
  label: z.string().max(200),
  at: time.nullable(),
  marks: z.array(mark).max(500),
});

/** Marks made in other programs (DICOM presentation states); read-only. */
export const marksContract = {
  /** Points in pixels of `frame`, as for all points of a film. `dicom.changed` reports changes. NOT_FOUND */
  "marks.list": {
    request: z.strictObject({ filmId: id }),
    response: z.object({
      frame: z.object({ widthPx: z.int(), heightPx: z.int() }),
      sets: z.array(foreignMarks),
    }),
    permission: "look",
    isAvailableWithoutDatabase: true,
  },
} as const satisfies Channels;

export type ForeignMarks = z.infer<typeof foreignMarks>;
export type ForeignMark = z.infer<typeof mark>;
