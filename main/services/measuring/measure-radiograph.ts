import type { RadiographMeasurement } from "../../../core/cardiac/radiograph-measurement.ts";
import type { ServiceContext } from "./service-context.ts";
import { openRadiograph } from "./open-radiograph.ts";

/**
 * Decodes and measures one image through the bounded queue.
 *
 * @param bytes               a JPEG, PNG or DICOM file
 * @param options.frameIndex  frame of a DICOM file, 0-based
 * @throws AppError BUSY, ABORTED, MODELS_NOT_LOADED, and errors of `openRadiograph`
 */
export async function measureRadiograph(
  context: Pick<ServiceContext, "engine" | "queue" | "dicom">,
  bytes: Uint8Array,
  { frameIndex, signal }: { readonly frameIndex: number; readonly signal: AbortSignal },
): Promise<RadiographMeasurement> {
  const places = context.queue.reserve(1);
  return places.run(
    bytes,
    async () => context.engine.measure(await openRadiograph(context.dicom, bytes, { frameIndex, signal }), { signal }),
    signal,
  );
}
