import type { Point } from "../../../core/cardiac/points.ts";
import type { FilmLevels } from "../views/film-levels.ts";
import { negativeLevels } from "../views/sample-frame.ts";
import { combineLooks } from "./combine-looks.ts";
import type { LandmarkReading, MemberReading } from "./landmark-decoding.ts";
import { findThorax, searchThorax } from "./find-thorax.ts";
import { agreedPoses, settlePoseWithRotations } from "./settle-pose.ts";
import { thoraxFrame, wholeFilmFrame, type NetworkFrame } from "../views/landmark-frames.ts";
import type { ThoraxPose } from "../views/thorax-pose.ts";
import type { LandmarkManifest, NetworkCall } from "../threads/network-calls.ts";
import { inputSidePx } from "../packs/pack-tensors.ts";

/**
 * Reads a film, and its negative if the heart is darker than the lung around it. The reading with the clearer heart is
 * used. `pose`: of the thorax; searched if null.
 *
 * @throws AppError ABORTED, checked before every network
 */
export async function readLandmarks(
  call: NetworkCall,
  manifest: LandmarkManifest,
  levels: FilmLevels,
  pose: ThoraxPose | null = null,
): Promise<LandmarkReading> {
  const reading = await readAsItIs(call, manifest, levels, pose);
  if (reading.heartContrast >= 0) return reading;
  const negative = await readAsItIs(call, manifest, negativeLevels(levels), pose);
  return negative.sharpness > reading.sharpness ? negative : reading;
}

/**
 * Finds the thorax and runs every member on its own upright crop. Column and heart are then read separately, at the
 * positions found by the members.
 *
 * The members read around the mean of the two poses. If the column is hard to see and the poses differ, the members
 * alternate between them, so that votes and spread reflect the uncertainty. If neither pose shows a column, the film is
 * rotated by quarter turns and searched part by part; a film without a column is read as a whole, with the fallback
 * ruler.
 */
async function readAsItIs(
  call: NetworkCall,
  manifest: LandmarkManifest,
  levels: FilmLevels,
  known: ThoraxPose | null,
): Promise<LandmarkReading & { readonly heartContrast: number }> {
  const { kind, members } = manifest;
  const { crop } = manifest.decoding;
  const side = inputSidePx(manifest);
  const [film] = levels;
  const whole = wholeFilmFrame(film.width, film.height, side);
  const frameOf = (pose: ThoraxPose | null, member: number) => (pose ? thoraxFrame(pose, crop, side, member) : whole);
  const look = (member: number, frame: NetworkFrame) => call("look", { kind, member, view: { levels, frame } });

  const poses = known
    ? [known]
    : agreedPoses(
        await settlePoseWithRotations(
          (quarters) => findThorax(call, manifest, levels, quarters),
          () => searchThorax(call, manifest, levels),
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
      ? combineLooks(readings, agreed.outline, close, heart.closeShare)
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
    edgeBlurV: looks[0]?.edgeBlurV,
    heartContrast: mean(looks.map((look) => look.heartContrast)),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
