import { z } from "zod";
import type { Channels } from "../../channel.ts";
import { ownRange, ownRangeFields } from "../../../cardiac/reference/own-range.ts";
import { id, nothing } from "../shapes.ts";

const ownRanges = z.object({ ranges: z.array(ownRange) });

/** The clinic's reference ranges. `ranges.changed` reports changes. */
export const rangesContract = {
  "ranges.list": { request: nothing, response: ownRanges, permission: "look", isAvailableWithoutDatabase: true },
  /** `id` is null for a new range. NOT_FOUND; INVALID_FIELD with a reason that names the field. */
  "ranges.save": {
    request: z.strictObject({ id: id.nullable(), range: ownRangeFields }),
    response: ownRanges,
    permission: "administer",
  },
  /** NOT_FOUND */
  "ranges.remove": { request: z.strictObject({ id }), response: ownRanges, permission: "administer" },
} as const satisfies Channels;

export type OwnRanges = z.infer<typeof ownRanges>;
