import type { RadiographMeasurement } from "../../../core/cardiac/radiograph-measurement.ts";
import type { DecodedImage } from "../../imaging/decode-image.ts";
import type { ServiceContext } from "./service-context.ts";
import { openRadiograph } from "./open-radiograph.ts";

/**
 * Decodes and measures one image through the bounded queue.
 *
 * @param options.image  the decoded image, if known
 * @throws AppError BUSY, ABORTED, MODELS_NOT_LOADED, and errors of `openRadiograph`
 */
export async function measureRadiograph(
  context: Pick<ServiceContext, "engine" | "queue" | "dicom">,
  bytes: Uint8Array,
  {
    frameIndex,
    signal,
    image,
  }: { readonly frameIndex?: number; readonly signal: AbortSignal; readonly image?: DecodedImage | undefined },
): Promise<RadiographMeasurement> {
  const places = context.queue.reserve(1);
  return places.run(
    bytes,
    async (decode) => {
      const opened = image ?? (await openRadiograph(context.dicom, bytes, { frameIndex, signal, decode }));
      return context.engine.measure(opened, { signal });
    },
    signal,
  );
}
