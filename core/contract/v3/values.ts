import { z } from "zod";
import { confidenceTiers } from "../../cardiac/confidence.ts";
import { landmarkNames } from "../../cardiac/landmarks.ts";
import { identifier } from "../../identifiers.ts";

/** Order in which corners are sent and expected. */
export const cornerOrder = "TL,TR,BR,BL";

export const base64Image = z
  .string()
  .min(1)
  .meta({
    description:
      "JPEG or PNG of at most 10 MB and 100 megapixels, its shorter side at least 32 px, its sides at most 8 : 1. " +
      "Base64 of either alphabet of RFC 4648, with or without padding; white space is ignored and a data: prefix accepted",
    contentEncoding: "base64",
  });

export const renderedImage = z.base64().meta({
  description:
    "for display to users: the upright film, scaled, with a caption below. Clients that draw marks themselves use " +
    "`prediction` on their own picture, or on `rectified_image` for a photograph of a screen",
});

export const uuid = identifier.meta({
  ...identifier.meta(),
  description: "patient identifier: enables history and the 24 h recheck grace",
});

export const score = z.number().nullable();

export const tier = z.enum(confidenceTiers);

export const integer = z.int();

const pointPx = z.tuple([z.number(), z.number()]).meta({ description: "[x, y] pixel coordinates" });

export const cornersPx = z.tuple([pointPx, pointPx, pointPx, pointPx]);

export const modelVersion = z.string().min(1);

export const resultCode = integer.min(0).max(7);

/** An item of `prediction` (section 2.1); coordinates normalised to the image, origin top left. */
const landmark = z.strictObject({
  x: z.number().min(0).max(1),
  y: z.number().min(0).max(1),
  class: z.enum(landmarkNames),
});

export const landmarks = z.union([z.array(landmark).length(landmarkNames.length), z.array(landmark).length(0)]).meta({
  description:
    "relative to the upright picture, or for a photograph of a screen to `rectified_image` (in `details`, or beside " +
    "`prediction` in a capture session). Empty without a valid VHS",
});

/** Body of every error of /v3 (section 7). */
export const errorBody = z.strictObject({ error: z.string().min(1) });

export type LandmarkItem = z.infer<typeof landmark>;
