import type { RadiographMeasurement } from "../../core/cardiac/radiograph-measurement.ts";
import { decodeImage } from "../imaging/decode-image.ts";
import type { ServiceContext } from "./context.ts";

/**
 * Measures one image: decodes it and asks the networks, in its turn of the bounded queue.
 *
 * @param bytes  a JPEG or PNG file
 * @throws AppError BUSY, ABORTED, UNSUPPORTED_IMAGE, INVALID_IMAGE, IMAGE_TOO_MANY_PIXELS, MODELS_NOT_LOADED
 */
export async function measureRadiograph(
  context: Pick<ServiceContext, "engine" | "queue">,
  bytes: Uint8Array,
  { signal }: { readonly signal: AbortSignal },
): Promise<RadiographMeasurement> {
  const places = context.queue.reserve(1);
  return places.run(async () => context.engine.measure(await decodeImage(bytes, { signal }), { signal }), signal);
}
