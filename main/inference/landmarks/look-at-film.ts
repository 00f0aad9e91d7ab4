import { AppError } from "../../../core/app-error.ts";
import type { HeartLandmarks } from "../../../core/cardiac/landmarks.ts";
import type { ColumnView } from "./average-column.ts";
import type { FilmLevel } from "../views/film-levels.ts";
import { agreedView, readView, type AgreedView, type LandmarkLook, type LandmarkOutputs } from "./landmark-decoding.ts";
import type { ThoraxPose } from "../views/thorax-pose.ts";
import type { LoadedPack } from "../packs/loaded-pack.ts";
import type { FilmView, LandmarkKind } from "../threads/network-calls.ts";
import type { NetworkSession } from "../threads/network-session.ts";
import { decodingOf } from "../packs/pack-decodings.ts";
import { inputSidePx } from "../packs/pack-manifest.ts";
import { letterboxFilm } from "../views/reduce-film.ts";
import { sampleFrame } from "../views/sample-frame.ts";

/** A colour network's input with the whole of a grey film, which fills the three planes alike. */
export function greyInput(pack: LoadedPack<"gate">, levels: readonly FilmLevel[]): Float32Array {
  const side = inputSidePx(pack.manifest);
  const plane = pack.input.subarray(0, side * side);
  letterboxFilm(levels, side, plane);
  pack.input.set(plane, side * side);
  pack.input.set(plane, 2 * side * side);
  return pack.input;
}

/** Finds the thorax; the first member does that where a pack has no locator. */
export async function locateThorax(pack: LoadedPack<LandmarkKind>, view: FilmView): Promise<ThoraxPose | null> {
  const [first] = pack.members as [NetworkSession];
  return (await lookAtFilm(pack, pack.locator ?? first, view)).pose;
}

/** Lets one member of a pack read a view of a film. */
export async function memberLook(
  pack: LoadedPack<LandmarkKind>,
  member: number,
  view: FilmView,
): Promise<LandmarkLook> {
  return lookAtFilm(pack, pack.members[member] as NetworkSession, view);
}

/** On what a pack's members agree. */
export function agreeOnView(
  pack: LoadedPack<LandmarkKind>,
  columns: readonly ColumnView[],
  hearts: readonly HeartLandmarks[],
): AgreedView {
  return agreedView(columns, hearts, decodingOf(pack.manifest), inputSidePx(pack.manifest));
}

async function lookAtFilm(
  pack: LoadedPack<LandmarkKind>,
  session: NetworkSession,
  { levels, frame }: FilmView,
): Promise<LandmarkLook> {
  const side = inputSidePx(pack.manifest);
  sampleFrame(levels, frame, side, pack.input);
  const outputs = landmarkOutputs(await session.run(pack.input));
  return readView({ outputs, frame, input: pack.input }, decodingOf(pack.manifest), side);
}

function landmarkOutputs(outputs: ReadonlyMap<string, Float32Array>): LandmarkOutputs {
  const named = (name: string): Float32Array => {
    const values = outputs.get(name);
    if (!values) throw new AppError("INTERNAL", `the landmark network has no output ${name}`);
    return values;
  };
  return { points: named("points"), sharpness: named("sharpness"), maps: named("maps") };
}
