import { AppError } from "../../core/app-error.ts";
import { agreeOnOneHeart } from "../../core/cardiac/ensemble.ts";
import type { RadiographMeasurement } from "../../core/cardiac/radiograph-measurement.ts";
import type { DecodedImage } from "../imaging/decode-image.ts";
import { spreadLevels } from "../imaging/level-range.ts";
import { withoutPlainMargin } from "../imaging/plain-margin.ts";
import { directMeasurement, rejectedImage } from "./engine-results.ts";
import { readFilm, type Instruments, type PassedFilm } from "./instruments.ts";
import { judgeThorax } from "./judge-thorax.ts";
import type { ManifestOf } from "./packs/pack-manifest.ts";
import type { PackRegistry } from "./packs/pack-registry.ts";
import { hasCameraColours } from "./screens/camera-colours.ts";
import { judgeFilm, judgeImage } from "./screens/colour-networks.ts";
import { asRefused, type GateVerdict } from "./screens/gate-decoding.ts";
import { findCorners, measureStraightened, isPopEnabled, type FoundCorners } from "./screens/photographs.ts";
import { imageLevels } from "./views/sample-frame.ts";
import { filmOnScreen } from "./screens/film-on-screen.ts";

/**
 * Maximum size of a film on a page, as a fraction of the picture's longest side. With a plain margin around it, the
 * gate would classify such a film as one on a screen.
 */
const maxShareOnPage = 0.6;

type Otherwise = () => Promise<RadiographMeasurement>;

/** Probability of a direct film from which the thorax is judged even if the gate classifies the picture as a screen. */
const minDirectProbability = 0.03;

export function canMeasure(registry: PackRegistry): boolean {
  return registry.active("gate") !== null && registry.active("landmarks") !== null;
}

/**
 * Measures an image that the gate accepts. If the gate rejects the whole picture or classifies it as a screen, an
 * upright film in it or the thorax alone may still pass. The members may reject an accepted picture.
 *
 * @throws AppError MODELS_NOT_LOADED, POP_NOT_LOADED, ABORTED
 */
export async function measure(instruments: Instruments, image: DecodedImage): Promise<RadiographMeasurement> {
  const { registry, call, programVersion } = instruments;
  const [gate, landmarks] = [registry.active("gate"), registry.active("landmarks")];
  if (!gate || !landmarks) throw new AppError("MODELS_NOT_LOADED");
  const isFromCamera = once(() => image.hasExposureData === true || hasCameraColours(image));
  const shown = inUsualRange(image, isFromCamera);
  const levels = imageLevels(shown);
  const film = withoutPlainMargin(shown, maxShareOnPage);
  const verdict =
    film && !isFromCamera()
      ? await judgeFilm(call, gate, imageLevels(film), null)
      : await judgeImage(call, gate, shown, levels);
  const rejected = (by: GateVerdict) => rejectedImage(image, by, landmarks, programVersion);
  const corners = once(() => findCorners(instruments, image));
  const straightened = async () =>
    (await measureStraightened(instruments, image, gate, verdict, corners, isFromCamera())).measurement;
  const measureFilm = async ({ verdict, levels, film = image, pose }: PassedFilm, otherwise: Otherwise) => {
    const geometry = await readFilm(call, landmarks, levels, film, pose);
    if (geometry.score.vhs !== null && !agreeOnOneHeart(geometry.firstVhs)) return otherwise();
    return directMeasurement(image, geometry, verdict, landmarks, programVersion, film);
  };
  const measureThorax = async (otherwise: Otherwise) => {
    const thorax = isFromCamera() ? null : await judgeThorax(call, gate, landmarks, levels);
    return thorax ? measureFilm({ levels, ...thorax }, otherwise) : otherwise();
  };
  const measureOnScreen = async (otherwise: Otherwise) => {
    const onScreen = isFromCamera() ? null : await judgeOnScreen(instruments, gate, image, corners);
    return onScreen ? measureFilm(onScreen, otherwise) : otherwise();
  };
  switch (verdict.kind) {
    case "neither":
      return measureOnScreen(() => measureThorax(async () => rejected(verdict)));
    case "pop":
      return measureOnScreen(async () => {
        // The gate may also classify a film of a whole animal as a screen.
        if (verdict.probabilities.direct >= minDirectProbability) return measureThorax(straightened);
        const measurement = await straightened();
        return measurement.kind === "unrectified" ? measureThorax(async () => measurement) : measurement;
      });
    case "direct":
      // A close-up of a screen without its border: the position of the film is unknown.
      return isFromCamera()
        ? straightened()
        : measureFilm({ verdict, levels }, async () => rejected(asRefused(verdict)));
  }
}

function once<Answer>(compute: () => Answer): () => Answer {
  let answer: Answer | undefined;
  return () => (answer ??= compute());
}

/** Converts a pale or tinted film to grey with the usual range. Pictures from a camera stay unchanged. */
function inUsualRange(image: DecodedImage, isFromCamera: () => boolean): DecodedImage {
  const spread = spreadLevels(image.grey);
  if ((!spread && !image.colour) || isFromCamera()) return image;
  return { ...image, grey: spread ?? image.grey, colour: null };
}

/** null without an upright film that the gate accepts. */
async function judgeOnScreen(
  instruments: Instruments,
  gate: ManifestOf<"gate">,
  picture: DecodedImage,
  cornersOf: FoundCorners,
): Promise<PassedFilm | null> {
  if (!isPopEnabled(instruments.registry)) return null;
  const corners = await cornersOf();
  const onScreen = corners && filmOnScreen(picture, corners);
  if (!onScreen) return null;
  const verdict = await judgeFilm(instruments.call, gate, imageLevels(onScreen.film), null);
  return verdict.kind === "direct" ? { verdict, levels: imageLevels(onScreen.alone), film: onScreen.film } : null;
}
