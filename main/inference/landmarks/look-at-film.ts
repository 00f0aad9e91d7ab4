import type { HeartLandmarks } from "../../../core/cardiac/landmarks.ts";
import type { ColumnView } from "./average-column.ts";
import { countVertebrae } from "./count-vertebrae.ts";
import { edgeBlurPx } from "./edge-blur.ts";
import type { FilmLevels } from "../views/film-levels.ts";
import {
  agreedView,
  readView,
  sightThorax,
  type Agreement,
  type LandmarkLook,
  type LandmarkOutputs,
  type LandmarkView,
  type ThoraxSighting,
} from "./landmark-decoding.ts";
import { measureHeartCloseUp, type HeartCloseUp } from "./measure-heart-close-up.ts";
import type { LoadedHeart, LoadedPack } from "../packs/loaded-pack.ts";
import type { FilmView, LandmarkKind } from "../threads/network-calls.ts";
import type { NetworkSession } from "../threads/network-session.ts";
import { inputSidePx } from "../packs/pack-tensors.ts";
import type { NetworkFrame } from "../views/landmark-frames.ts";
import { letterboxFilm } from "../views/reduce-film.ts";
import { sampleFrame } from "../views/sample-frame.ts";

/** Fills the input of a colour network with a grey film, or a frame of it, in three equal planes. */
export function greyInput(pack: LoadedPack<"gate">, levels: FilmLevels, frame: NetworkFrame | null): Float32Array {
  const side = inputSidePx(pack.manifest);
  const plane = pack.input.subarray(0, side * side);
  if (frame) sampleFrame(levels, frame, side, plane);
  else letterboxFilm(levels, side, plane);
  pack.input.set(plane, side * side);
  pack.input.set(plane, 2 * side * side);
  return pack.input;
}

/** @param member  null for the locator, or for the first member in a pack without one */
export async function locateThorax(
  pack: LoadedPack<LandmarkKind>,
  member: number | null,
  view: FilmView,
): Promise<ThoraxSighting> {
  const locator = pack.locator ?? (pack.members[0] as NetworkSession);
  const network = member === null ? locator : (pack.members[member] as NetworkSession);
  return sightThorax(await lookAtFilm(pack, network, view), pack.manifest.decoding, inputSidePx(pack.manifest));
}

export async function voteOfMembers(
  pack: LoadedPack<LandmarkKind>,
  member: number,
  view: FilmView,
): Promise<LandmarkLook> {
  const seen = await lookAtFilm(pack, pack.members[member] as NetworkSession, view);
  const decoding = pack.manifest.decoding;
  const side = inputSidePx(pack.manifest);
  const [film] = view.levels;
  const size = { widthPx: film.width, heightPx: film.height };
  const edgeBlurV =
    pack.manifest.kind === "landmarks-pop"
      ? (edgeBlurPx(seen.input, side, seen.frame, size) * decoding.crop.vertebrae) / side
      : undefined;
  return { ...readView(seen, decoding, side), edgeBlurV };
}

export async function agreeOnView(
  pack: LoadedPack<LandmarkKind>,
  columns: readonly ColumnView[],
  hearts: readonly HeartLandmarks[],
  levels: FilmLevels,
): Promise<Agreement> {
  const decoding = pack.manifest.decoding;
  const { column, ...agreed } = agreedView(columns, hearts, decoding, inputSidePx(pack.manifest));
  const counted =
    pack.column && column && (await countVertebrae(pack.column, levels, column, hearts, decoding.vertebrae));
  return { ...agreed, isColumnFound: column !== null, counts: [], ...counted };
}

/**
 * Runs the pack's heart networks around the members' votes; null if these have no axes. On photographs the networks
 * share one vote, because the specification requires one model.
 */
export function voteOnCloseUp(
  { heart, manifest }: LoadedPack<LandmarkKind>,
  hearts: readonly HeartLandmarks[],
  levels: FilmLevels,
): Promise<HeartCloseUp | null> {
  return measureHeartCloseUp(heart as LoadedHeart, levels, hearts, manifest.kind === "landmarks-pop");
}

async function lookAtFilm(
  pack: LoadedPack<LandmarkKind>,
  session: NetworkSession,
  { levels, frame }: FilmView,
): Promise<LandmarkView> {
  sampleFrame(levels, frame, inputSidePx(pack.manifest), pack.input);
  const outputs = Object.fromEntries(await session.run(pack.input)) as LandmarkOutputs;
  return { outputs, frame, input: pack.input };
}
