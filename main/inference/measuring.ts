import type { FilmInPicture } from "../../core/cardiac/confidence.ts";
import type { Corners, PictureSize } from "../../core/cardiac/points.ts";
import { AppError } from "../../core/app-error.ts";
import type { RadiographMeasurement } from "../../core/cardiac/radiograph-measurement.ts";
import { seeOneHeart } from "../../core/cardiac/ensemble.ts";
import { processedLongestSidePx, type DecodedImage } from "../imaging/decode-image.ts";
import { spreadLevels } from "../imaging/level-range.ts";
import { withoutPlainMargin } from "../imaging/plain-margin.ts";
import { rectify } from "../imaging/rectify.ts";
import { findFilmCorners, judgeFilm, judgeImage, rejectFilm, toFullSize } from "./screens/colour-networks.ts";
import { combineVotes, type AgreedGeometry } from "./landmarks/combine-votes.ts";
import { directMeasurement, popMeasurement, rejectedImage, unrectifiedImage } from "./engine-results.ts";
import { hasCameraColours } from "./screens/camera-colours.ts";
import { framingOf } from "./screens/film-framing.ts";
import { filmOnScreen } from "./screens/film-on-screen.ts";
import type { PopFrame } from "./engine-types.ts";
import type { FilmLevel } from "./views/film-levels.ts";
import { refusedAfterAll, type GateVerdict } from "./screens/gate-decoding.ts";
import type { NetworkCall } from "./threads/network-calls.ts";
import { decodingOf } from "./packs/pack-decodings.ts";
import type { PackRegistry } from "./packs/pack-registry.ts";
import type { ManifestOf } from "./packs/pack-manifest.ts";
import type { LandmarkPack } from "./landmarks/find-thorax.ts";
import { readLandmarks } from "./landmarks/read-landmarks.ts";
import { judgeThorax } from "./judge-thorax.ts";
import { imageLevels } from "./views/sample-frame.ts";
import type { ThoraxPose } from "./views/thorax-pose.ts";

/**
 * What one film is measured with: the packs in use, the threads that run them, when to stop, and the version that signs
 * the result.
 */
export type Instruments = {
  readonly registry: PackRegistry;
  readonly call: NetworkCall;
  readonly signal: AbortSignal | undefined;
  readonly programVersion: string;
};

/**
 * A film that takes no more than this of its picture's longest side, with a plain margin around it, looks to the gate
 * like one on a screen.
 */
const mostShareOnPage = 0.6;

/** What a picture is taken for where its thorax cannot be measured. */
type Otherwise = () => Promise<RadiographMeasurement>;

/** How probable a film must be to the gate for a picture that it takes for one of a screen to be looked at as a film. */
const leastDoubtOfScreen = 0.03;

/** What of a picture the gate has passed. */
type PassedFilm = {
  readonly verdict: GateVerdict;
  /** The picture as the members see it. */
  readonly levels: readonly FilmLevel[];
  /** What of the picture is the film; all of it where that is left out. */
  readonly film?: FilmInPicture;
  /** Of the thorax, where it is known. */
  readonly pose?: ThoraxPose;
};

/** The film's corners in a picture, as `findCorners` gives them. */
type FoundCorners = () => Promise<Corners | null>;

type GatePack = { readonly manifest: ManifestOf<"gate"> };

/** A photograph needs the corner network and its own landmark network. */
export function isPopEnabled(registry: PackRegistry): boolean {
  return registry.active("landmarks-pop") !== null && registry.active("corners") !== null;
}

/** Films are measured once the gate and the landmark networks are loaded. */
export function canMeasure(registry: PackRegistry): boolean {
  return registry.active("gate") !== null && registry.active("landmarks") !== null;
}

/**
 * Gate first: nothing is scored that it has not seen. Where it refuses the whole of a picture, or takes it for one of a
 * screen, it may still pass the film that stands upright in it, or the thorax; the members may turn away what it lets
 * pass.
 *
 * @throws AppError MODELS_NOT_LOADED, POP_NOT_LOADED, ABORTED
 */
export async function measure(instruments: Instruments, image: DecodedImage): Promise<RadiographMeasurement> {
  const { registry, call, programVersion } = instruments;
  const [gate, landmarks] = [registry.active("gate"), registry.active("landmarks")];
  if (!gate || !landmarks) throw new AppError("MODELS_NOT_LOADED");
  const isFromCamera = once(() => image.saysExposure === true || hasCameraColours(image));
  const shown = inUsualRange(image, isFromCamera);
  const levels = imageLevels(shown);
  const film = withoutPlainMargin(shown, mostShareOnPage);
  const verdict =
    film && !isFromCamera()
      ? await judgeFilm(call, gate.manifest, imageLevels(film), null)
      : await judgeImage(call, gate.manifest, shown, levels);
  const rejected = (by: GateVerdict) => rejectedImage(image, by, landmarks.manifest, programVersion);
  const corners = once(() => findCorners(instruments, image));
  const straightened = async () => (await measureStraightened(instruments, image, gate, verdict, corners)).measurement;
  /** Measures the film, unless the members turn it away. */
  const measureFilm = async ({ verdict, levels, film = image, pose }: PassedFilm, otherwise: Otherwise) => {
    const { manifest } = landmarks;
    const geometry = await readFilm(call, landmarks, levels, film, pose);
    if (geometry.score.vhs !== null && !seeOneHeart(geometry.firstVhs)) return otherwise();
    return directMeasurement(image, geometry, verdict, manifest, programVersion, film);
  };
  /** Measures the thorax alone, where the gate passes it and no camera took the picture. */
  const measureThorax = async (otherwise: Otherwise) => {
    const thorax = isFromCamera() ? null : await judgeThorax(call, gate, landmarks, levels);
    return thorax ? measureFilm({ levels, ...thorax }, otherwise) : otherwise();
  };
  /** Measures the film that stands upright on a screen, where no camera took the picture. */
  const measureOnScreen = async (otherwise: Otherwise) => {
    const onScreen = isFromCamera() ? null : await judgeOnScreen(instruments, gate, image, corners);
    return onScreen ? measureFilm(onScreen, otherwise) : otherwise();
  };
  switch (verdict.kind) {
    case "neither":
      return measureOnScreen(() => measureThorax(async () => rejected(verdict)));
    case "pop":
      return measureOnScreen(async () => {
        // A film of a whole animal may look like a screen to the gate, too.
        if (verdict.probabilities.direct >= leastDoubtOfScreen) return measureThorax(straightened);
        const measurement = await straightened();
        return measurement.kind === "unrectified" ? measureThorax(async () => measurement) : measurement;
      });
    case "direct":
      // A close-up of a screen, its border out of view: nothing tells how the film lies in it.
      return isFromCamera()
        ? straightened()
        : measureFilm({ verdict, levels }, async () => rejected(refusedAfterAll(verdict)));
  }
}

/**
 * Judges the film in the picture of a screen that a program took.
 *
 * @returns null where no film stands upright in it, or none that the gate takes for one
 */
async function judgeOnScreen(
  instruments: Instruments,
  gate: GatePack,
  picture: DecodedImage,
  cornersOf: FoundCorners,
): Promise<PassedFilm | null> {
  if (!isPopEnabled(instruments.registry)) return null;
  const corners = await cornersOf();
  const onScreen = corners && filmOnScreen(picture, corners);
  if (!onScreen) return null;
  const verdict = await judgeFilm(instruments.call, gate.manifest, imageLevels(onScreen.film), null);
  return verdict.kind === "direct" ? { verdict, levels: imageLevels(onScreen.alone), film: onScreen.film } : null;
}

/** Answers as the question was answered when it was asked first. */
function once<Answer>(question: () => Answer): () => Answer {
  let answer: Answer | undefined;
  return () => (answer ??= question());
}

/** A pale or tinted film as the networks know films: in grey, over all levels. What a camera took stays as it is. */
function inUsualRange(image: DecodedImage, isFromCamera: () => boolean): DecodedImage {
  const spread = spreadLevels(image.grey);
  if ((!spread && !image.colour) || isFromCamera()) return image;
  return { ...image, grey: spread ?? image.grey, colour: null };
}

/**
 * Takes an image for a photograph of a screen, whether the gate holds it for one or for a film.
 *
 * @throws AppError MODELS_NOT_LOADED, POP_NOT_LOADED, ABORTED
 */
export async function measurePhotograph(instruments: Instruments, photo: DecodedImage): Promise<PopFrame> {
  const { registry, call } = instruments;
  const gate = registry.active("gate");
  if (!gate) throw new AppError("MODELS_NOT_LOADED");
  const verdict = await judgeImage(call, gate.manifest, photo, imageLevels(photo));
  return measureStraightened(instruments, photo, gate, verdict, () => findCorners(instruments, photo));
}

/** Corners, rectification, the gate once more, the network for photographs. */
async function measureStraightened(
  instruments: Instruments,
  photo: DecodedImage,
  gate: GatePack,
  verdict: GateVerdict,
  cornersOf: FoundCorners,
): Promise<PopFrame> {
  const { registry, call, signal, programVersion } = instruments;
  const pack = registry.active("landmarks-pop");
  if (!pack || !isPopEnabled(registry)) throw new AppError("POP_NOT_LOADED");
  const refused = (by: GateVerdict): PopFrame => ({
    film: null,
    measurement: rejectedImage(photo, by, pack.manifest, programVersion),
  });
  if (verdict.kind === "neither") return refused(verdict);
  const corners = await cornersOf();
  const framing = corners ? framingOf(corners, photo) : "none";
  if (!corners || framing === "none")
    return { film: null, measurement: unrectifiedImage(photo, verdict, pack.manifest, programVersion) };
  const options = { longestSidePx: processedLongestSidePx, ...(signal ? { signal } : {}) };
  const film = await rectify(photo, toFullSize(corners, photo), options);
  const levels = imageLevels(film);
  const rejection = await rejectFilm(call, gate.manifest, levels);
  if (rejection) return refused(rejection);
  const geometry = await readFilm(call, pack, levels, film);
  const { sharpnessHigh } = decodingOf(pack.manifest);
  const { widthPx, heightPx } = film;
  const frame = { sha256: photo.sha256, widthPx, heightPx, fullWidthPx: photo.fullWidthPx };
  return {
    film,
    measurement: popMeasurement(
      frame,
      corners,
      framing,
      geometry,
      sharpnessHigh,
      verdict,
      pack.manifest,
      programVersion,
    ),
  };
}

/**
 * The film's corners in a photograph.
 *
 * @returns TL,TR,BR,BL [px of the processed photograph], null when no film is seen
 */
export async function findCorners({ registry, call }: Instruments, photo: DecodedImage): Promise<Corners | null> {
  const pack = registry.active("corners");
  if (!pack || !isPopEnabled(registry)) throw new AppError("POP_NOT_LOADED");
  return findFilmCorners(call, pack.manifest, photo);
}

async function readFilm(
  call: NetworkCall,
  pack: LandmarkPack,
  levels: readonly FilmLevel[],
  { widthPx, heightPx }: PictureSize,
  pose: ThoraxPose | null = null,
): Promise<AgreedGeometry> {
  return combineVotes(await readLandmarks(call, pack, levels, pose), Math.max(widthPx, heightPx));
}
