import { AppError } from "../../core/app-error.ts";
import { landmarkDecodingSchema, locateThorax, readMembers, type LandmarkOutputs, type LandmarkReading, type LandmarkView } from "./landmark-decoding.ts";
import { isSamePose, mirroredFrame, thoraxFrame, wholeFilmFrame, type GreyImage, type NetworkFrame, type ThoraxPose } from "./landmark-frames.ts";
import type { LoadedPack } from "./loaded-pack.ts";
import type { NetworkSession } from "./network-session.ts";
import { sampleFrame } from "./sample-frame.ts";

/**
 * Finds the thorax, looks again, and lets every member read its own upright crop.
 *
 * The locator sees the whole film and its mirror image, so that the answer does not depend on the way the animal faces. Each of the
 * two poses is corrected by a member that sees the thorax close; the members then read around one or the other in turn. Where the
 * column is hard to see the poses differ, so do the votes, and the spread says so.
 * A film on which no column is found is read as a whole; its scores will not be valid.
 *
 * @throws AppError ABORTED, checked before every network
 */
export async function readLandmarks(pack: LoadedPack, image: GreyImage, isCancelled: () => boolean): Promise<LandmarkReading> {
  const decoding = landmarkDecodingSchema.parse(pack.manifest.decoding);
  const side = pack.manifest.input.shape.at(-1) as number;
  const look = async (network: NetworkSession, frame: NetworkFrame): Promise<LandmarkView> => {
    if (isCancelled()) throw new AppError("ABORTED");
    return { outputs: landmarkOutputs(await network.run(sampleFrame(image, frame, side))), frame };
  };
  const poseIn = (view: LandmarkView): ThoraxPose | null => locateThorax(view, decoding, side);
  const readAt = (pose: ThoraxPose, index: number) => look(pack.members[index] as NetworkSession, thoraxFrame(pose, decoding.crop, side, index));

  const locator = pack.locator ?? (pack.members[0] as NetworkSession);
  const whole = wholeFilmFrame(image.width, image.height, side);
  const poses = facingLeftFirst(poseIn(await look(locator, whole)), poseIn(await look(locator, mirroredFrame(whole, side))));
  const views: LandmarkView[] = [];
  for (const [index, member] of pack.members.entries()) {
    const pose = poses[index % 2];
    if (!pose) {
      views.push(await look(member, whole));
      continue;
    }
    const view = await readAt(pose, index);
    const corrected = index < 2 ? poseIn(view) : null;
    if (corrected) poses[index] = corrected;
    views.push(corrected && !isSamePose(pose, corrected) ? await readAt(corrected, index) : view);
  }
  return readMembers(views, decoding, side);
}

/** The pose from the look in which the animal faces left, then the other one, each standing in for one that was not found. */
function facingLeftFirst(inFilm: ThoraxPose | null, inMirror: ThoraxPose | null): [ThoraxPose | null, ThoraxPose | null] {
  const facesRight = (inFilm ?? inMirror)?.isMirrored ?? false;
  return facesRight ? [inMirror ?? inFilm, inFilm ?? inMirror] : [inFilm ?? inMirror, inMirror ?? inFilm];
}

function landmarkOutputs(outputs: ReadonlyMap<string, Float32Array>): LandmarkOutputs {
  const named = (name: string): Float32Array => {
    const values = outputs.get(name);
    if (!values) throw new AppError("INTERNAL", `the landmark network has no output ${name}`);
    return values;
  };
  return { points: named("points"), sharpness: named("sharpness"), maps: named("maps") };
}
