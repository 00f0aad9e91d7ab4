import sharp from "sharp";
import type { Engine, PopFrame } from "../../main/inference/engine-types.ts";
import { texturedFilm } from "../fixtures/textured-film.ts";
import { measured } from "../main/store/sample-store.ts";

/** Engine that returns the same result for every picture at once, to test the store and the service. */
export function recordedEngine(): Engine {
  const photograph = recordedPhotograph();
  return {
    health: () => ({
      modelsLoaded: 5,
      popModelsLoaded: 1,
      isPopEnabled: true,
      canMeasure: true,
      isDegraded: false,
      modelVersion: measured.provenance.modelVersion,
      notAsChosen: [],
      isClinicallyValidated: false,
      release: null,
      packs: [],
    }),
    measure: async ({ sha256 }) => ({ ...measured, provenance: { ...measured.provenance, imageSha256: sha256 } }),
    measurePhotograph: async () => photograph,
    findCorners: async () => null,
    reload: async () => undefined,
    close: async () => undefined,
  };
}

/** A valid frame of a capture session, always of the same film. */
function recordedPhotograph(): PopFrame {
  const { widthPx, heightPx } = measured;
  const grey = texturedFilm(1, measured);
  const toJpeg = () =>
    sharp(grey, { raw: { width: widthPx, height: heightPx, channels: 1 } })
      .jpeg()
      .toBuffer();
  const data = new Uint8Array(widthPx * heightPx * 3).fill(90);
  const corners = [
    { x: 1, y: 1 },
    { x: 99, y: 1 },
    { x: 99, y: 99 },
    { x: 1, y: 99 },
  ] as const;
  return {
    film: { data, widthPx, heightPx, channels: 3, grey, toJpeg },
    measurement: { ...measured, popDetected: true, spread: null, corners },
  };
}
