import { z } from "zod";
import { base64Image, cornerOrder, cornersPx, integer, modelVersion } from "./values.ts";

export const imageRequest = z.object({ image: base64Image });

export const rectifyRequest = z.object({ image: base64Image, corners: cornersPx });

export const cornersResult = z.strictObject({
  corners: cornersPx,
  order: z.literal(cornerOrder),
  image_width: integer.min(1),
  image_height: integer.min(1),
  model_version: modelVersion,
});

const rectified = {
  rectified_image: z.base64(),
  width: integer.min(1),
  height: integer.min(1),
  model_version: modelVersion,
};

export const rectifyResult = z.strictObject(rectified);

export const preprocessResult = z.strictObject({ ...rectified, corners: cornersPx, order: z.literal(cornerOrder) });

export type CornersResult = z.infer<typeof cornersResult>;

export type RectifyResult = z.infer<typeof rectifyResult>;

export type PreprocessResult = z.infer<typeof preprocessResult>;
