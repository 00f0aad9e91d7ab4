import { AppError } from "../../core/app-error.ts";
import { agree, landmarkDecodingOf, readView, type LandmarkLook, type LandmarkOutputs, type LandmarkReading } from "./landmark-decoding.ts";
import type { LoadedPack } from "./loaded-pack.ts";
import type { LookRequest } from "./network-calls.ts";
import type { NetworkSession } from "./network-session.ts";
import { sampleFrame } from "./sample-frame.ts";

/** Runs one network of a pack on one view of a film. */
export async function lookAtFilm(pack: LoadedPack, { network, levels, frame }: LookRequest): Promise<LandmarkLook> {
  const [first] = pack.members as [NetworkSession];
  const session = network === "locator" ? (pack.locator ?? first) : (pack.members[network] as NetworkSession);
  const side = sideOf(pack);
  sampleFrame(levels, frame, side, pack.input);
  const outputs = landmarkOutputs(await session.run(pack.input));
  return readView({ outputs, frame }, landmarkDecodingOf(pack.manifest), side);
}

/** Brings the looks of a pack's members together. */
export function agreeOnFilm(pack: LoadedPack, looks: readonly LandmarkLook[]): LandmarkReading {
  return agree(looks, landmarkDecodingOf(pack.manifest), sideOf(pack));
}

function sideOf({ manifest }: LoadedPack): number {
  return manifest.input.shape.at(-1) as number;
}

function landmarkOutputs(outputs: ReadonlyMap<string, Float32Array>): LandmarkOutputs {
  const named = (name: string): Float32Array => {
    const values = outputs.get(name);
    if (!values) throw new AppError("INTERNAL", `the landmark network has no output ${name}`);
    return values;
  };
  return { points: named("points"), sharpness: named("sharpness"), maps: named("maps") };
}
