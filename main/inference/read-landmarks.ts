import { AppError } from "../../core/app-error.ts";
import { landmarkDecodingSchema, locateThorax, readMembers, type LandmarkOutputs, type LandmarkReading, type LandmarkView } from "./landmark-decoding.ts";
import { thoraxFrame, wholeFilmFrame, type GreyImage, type NetworkFrame } from "./landmark-frames.ts";
import type { LoadedPack } from "./loaded-pack.ts";
import type { NetworkSession } from "./network-session.ts";
import { sampleFrame } from "./sample-frame.ts";

/**
 * Two looks: one network finds the thorax on the whole film, then every member reads its own upright crop of it.
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
  const [first] = pack.members as [NetworkSession];
  const whole = wholeFilmFrame(image.width, image.height, side);
  const pose = locateThorax(await look(pack.locator ?? first, whole), decoding, side);
  const views: LandmarkView[] = [];
  for (const [index, member] of pack.members.entries()) {
    views.push(await look(member, pose ? thoraxFrame(pose, decoding.crop, side, index) : whole));
  }
  return readMembers(views, decoding, side);
}

function landmarkOutputs(outputs: ReadonlyMap<string, Float32Array>): LandmarkOutputs {
  const named = (name: string): Float32Array => {
    const values = outputs.get(name);
    if (!values) throw new AppError("INTERNAL", `the landmark network has no output ${name}`);
    return values;
  };
  return { points: named("points"), sharpness: named("sharpness"), maps: named("maps") };
}
