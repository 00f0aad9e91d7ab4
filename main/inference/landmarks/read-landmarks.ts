import type { Point } from "../../../core/cardiac/points.ts";
import type { FilmLevel } from "../views/film-levels.ts";
import { negativeLevels } from "../views/sample-frame.ts";
import { bothLooks } from "./both-looks.ts";
import type { LandmarkReading, MemberReading } from "./landmark-decoding.ts";
import { findThorax, searchThorax, type LandmarkPack } from "./find-thorax.ts";
import { agreedPoses, settleEitherWay } from "./settle-pose.ts";
import { thoraxFrame, wholeFilmFrame, type NetworkFrame } from "../views/landmark-frames.ts";
import type { ThoraxPose } from "../views/thorax-pose.ts";
import type { NetworkCall } from "../threads/network-calls.ts";
import { decodingOf } from "../packs/pack-decodings.ts";
import { inputSidePx } from "../packs/pack-manifest.ts";

/**
 * Reads a film, and its negative where the heart is darker than the lung around it: then the film is one itself. Of the
 * two the one stands on which the networks see the heart more clearly.
 *
 * @param levels  the film, as `imageLevels` gives it
 * @param pose    of the thorax, where it is known; it is found otherwise
 * @throws AppError ABORTED, checked before every network
 */
export async function readLandmarks(
  call: NetworkCall,
  pack: LandmarkPack,
  levels: readonly FilmLevel[],
  pose: ThoraxPose | null = null,
): Promise<LandmarkReading> {
  const reading = await readAsItIs(call, pack, levels, pose);
  if (reading.heartContrast >= 0) return reading;
  const negative = await readAsItIs(call, pack, negativeLevels(levels), pose);
  return negative.sharpness > reading.sharpness ? negative : reading;
}

/**
 * Finds the thorax and lets every member read its own upright crop; then column and heart are looked at, each by
 * itself, where the members found them.
 *
 * The members read around the mean of the two poses that were found. Where the column is hard to see the poses differ:
 * then the members take one or the other in turn, so that the votes differ too and the spread says so. Where neither
 * shows a column the film is turned by quarters and searched part by part; one on which none is found is read as a
 * whole, and its scores will not be valid.
 */
async function readAsItIs(
  call: NetworkCall,
  pack: LandmarkPack,
  levels: readonly FilmLevel[],
  known: ThoraxPose | null,
): Promise<LandmarkReading & { readonly heartContrast: number }> {
  const { manifest } = pack;
  const { kind, members } = manifest;
  const { crop } = decodingOf(manifest);
  const side = inputSidePx(manifest);
  const [film] = levels as readonly [FilmLevel];
  const whole = wholeFilmFrame(film.width, film.height, side);
  const frameOf = (pose: ThoraxPose | null, member: number) => (pose ? thoraxFrame(pose, crop, side, member) : whole);
  const look = (member: number, frame: NetworkFrame) => call("look", { kind, member, view: { levels, frame } });

  const poses = known
    ? [known]
    : agreedPoses(
        await settleEitherWay(
          (quarters) => findThorax(call, pack, levels, quarters),
          () => searchThorax(call, pack, levels),
        ),
      );
  const looks = await Promise.all(
    members.map((_, member) => look(member, frameOf(poses[member % poses.length] ?? null, member))),
  );
  const readings = looks.map(({ reading }) => reading);
  const columns = looks.map(({ column }) => column);
  const hearts = readings.map(({ heart }) => heart);
  const { heart } = manifest;
  const [agreed, close] = await Promise.all([
    call("agree", { kind, columns, hearts, levels }),
    heart ? call("closeUp", { kind, hearts, levels }) : null,
  ]);
  const seen =
    heart && close
      ? bothLooks(readings, agreed.outline, close, heart.closeShare)
      : { votes: readings, outline: agreed.outline };
  const ownEdges = (vote: number): readonly Point[] => {
    if (agreed.counts.length === seen.votes.length) return agreed.counts[vote] as readonly Point[];
    return agreed.counts.length > 0 ? agreed.edges : (readings[vote % readings.length] as MemberReading).edges;
  };
  return {
    ...agreed,
    outline: seen.outline,
    members: readings,
    votes: seen.votes.map((vote, number) => ({ ...vote, edges: ownEdges(number) })),
    sharpness: mean(readings.map(({ sharpness }) => sharpness)),
    heartContrast: mean(looks.map((look) => look.heartContrast)),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
