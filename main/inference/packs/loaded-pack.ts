import { readPackFile } from "./pack-files.ts";
import { assertGolden, openNetwork, runGolden, type Golden, type NetworkSession } from "../threads/network-session.ts";
import type {
  ColumnManifest,
  HeartManifest,
  ManifestOf,
  NetworkKind,
  NetworkTensors,
  PackFile,
} from "./pack-manifest.ts";
import { valueCount } from "./pack-tensors.ts";

export type LoadedPack<Kind extends NetworkKind = NetworkKind> = {
  readonly manifest: ManifestOf<Kind>;
  readonly members: readonly NetworkSession[];
  /** null if the first member also finds the thorax on the whole film. */
  readonly locator: NetworkSession | null;
  /** Predicts lengths of vertebrae on the straightened column. */
  readonly column: LoadedColumn | null;
  readonly heart: LoadedHeart | null;
  /** The caller fills it before a run; a thread has one run at a time. */
  readonly input: Float32Array;
  release(): Promise<void>;
};

type LoadedFurther<Manifest> = {
  readonly manifest: Manifest;
  readonly network: NetworkSession;
  readonly input: Float32Array;
};
export type LoadedColumn = LoadedFurther<ColumnManifest>;
export type LoadedHeart = LoadedFurther<HeartManifest>;

/** Number of cores of a run: while another network runs, and while none does. */
export type NetworkCores = { readonly shared: number; readonly alone: number };

/**
 * Loads a pack. Checks the hashes, the shapes of every network, and its outputs for the golden input: the first member
 * and the networks of column and heart must return the manifest's values, the others finite numbers.
 *
 * @throws AppError PACK_REFUSED
 */
export async function loadPack(
  folder: string,
  manifest: ManifestOf<NetworkKind>,
  cores: NetworkCores,
): Promise<LoadedPack> {
  const opened: SharedNetwork[] = [];
  const open = async (file: PackFile, coresOfRun: number, tensors: NetworkTensors = manifest) => {
    const bytes = readPackFile(folder, file);
    const key = JSON.stringify([file.sha256, coresOfRun, tensors.input, tensors.outputs]);
    const network = await openOnce(key, () => openNetwork(bytes, tensors, coresOfRun));
    opened.push(network);
    return network;
  };
  const openFurther = async <Manifest extends ColumnManifest | HeartManifest>(
    stated: Manifest,
    coresOfRun: number,
  ): Promise<LoadedFurther<Manifest>> => {
    const network = await open(stated, coresOfRun, stated);
    await passOnce(network, stated, assertGolden);
    return { manifest: stated, network, input: new Float32Array(valueCount(stated.input.shape)) };
  };
  const release = async () => {
    for (const network of opened.splice(0)) await network.release();
  };
  try {
    const members: SharedNetwork[] = [];
    for (const [index, member] of manifest.members.entries())
      members.push(await open(member, hasNoneBeside(manifest.members, index) ? cores.alone : cores.shared));
    const locator = "locator" in manifest && manifest.locator ? await open(manifest.locator, cores.shared) : null;
    await passOnce(members[0] as SharedNetwork, manifest, assertGolden);
    for (const network of [...members.slice(1), ...(locator ? [locator] : [])])
      await passOnce(network, manifest, runGolden);
    const heart = "heart" in manifest && manifest.heart ? await openFurther(manifest.heart, cores.shared) : null;
    // Runs in parallel with the heart networks.
    const columnCores = heart ? cores.shared : cores.alone;
    const column = "column" in manifest && manifest.column ? await openFurther(manifest.column, columnCores) : null;
    const input = new Float32Array(valueCount(manifest.input.shape));
    return { manifest, members, locator, column, heart, input, release };
  } catch (error) {
    await release();
    throw error;
  }
}

/** A network shared by packs, and the golden checks that it has passed. */
type SharedNetwork = NetworkSession & { readonly passed: Set<string> };

/** Runs a golden check, unless the same session has passed the same one for another pack. */
async function passOnce(
  network: SharedNetwork,
  { input, golden }: Golden,
  check: typeof assertGolden | typeof runGolden,
): Promise<void> {
  const key = JSON.stringify([check.name, input, golden]);
  if (network.passed.has(key)) return;
  await check(network, { input, golden });
  network.passed.add(key);
}

/** Networks in use, by file hash, cores and tensors: packs with equal files share one session. */
const inUse = new Map<
  string,
  { readonly opening: Promise<NetworkSession>; readonly passed: Set<string>; users: number }
>();

async function openOnce(key: string, open: () => Promise<NetworkSession>): Promise<SharedNetwork> {
  const shared = inUse.get(key) ?? { opening: open(), passed: new Set<string>(), users: 0 };
  inUse.set(key, shared);
  shared.users += 1;
  try {
    const network = await shared.opening;
    return {
      passed: shared.passed,
      run: (input) => network.run(input),
      async release() {
        shared.users -= 1;
        if (shared.users > 0) return;
        inUse.delete(key);
        await network.release();
      },
    };
  } catch (error) {
    inUse.delete(key);
    throw error;
  }
}

/** Whether a member runs without another one: members run two at a time, which leaves the last of an odd number. */
function hasNoneBeside(members: readonly PackFile[], index: number): boolean {
  return members.length % 2 === 1 && index === members.length - 1;
}
