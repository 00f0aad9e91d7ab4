import { readPackFile } from "./discover-packs.ts";
import { assertGolden, openNetwork, type NetworkSession } from "../threads/network-session.ts";
import { decodingOf } from "./pack-decodings.ts";
import { valueCount, type ManifestOf, type NetworkKind, type PackFile } from "./pack-manifest.ts";

/** A pack whose networks run. */
export type LoadedPack<Kind extends NetworkKind = NetworkKind> = {
  readonly manifest: ManifestOf<Kind>;
  readonly members: readonly NetworkSession[];
  /** Finds the thorax on the whole film; null when the first member does that too. */
  readonly locator: NetworkSession | null;
  /** The caller fills it before a run; a thread has one run at a time. */
  readonly input: Float32Array;
  release(): Promise<void>;
};

/**
 * Loads a pack: hashes, decoding constants, shapes of every network, and the golden input on the first member.
 * Nothing stays open when it fails.
 *
 * @param coresPerNetwork  how many cores a run may use
 * @throws AppError PACK_REFUSED
 */
export async function loadPack(
  folder: string,
  manifest: ManifestOf<NetworkKind>,
  coresPerNetwork: number,
): Promise<LoadedPack> {
  // Throws before anything is opened.
  decodingOf(manifest);
  const opened: NetworkSession[] = [];
  const open = async (file: PackFile) => {
    const network = await openNetwork(readPackFile(folder, file), manifest, coresPerNetwork);
    opened.push(network);
    return network;
  };
  const release = async () => {
    for (const network of opened.splice(0)) await network.release();
  };
  try {
    const members: NetworkSession[] = [];
    for (const member of manifest.members) members.push(await open(member));
    await assertGolden(members[0] as NetworkSession, manifest);
    const locator = "locator" in manifest && manifest.locator ? await open(manifest.locator) : null;
    const input = new Float32Array(valueCount(manifest.input.shape));
    return { manifest, members, locator, input, release };
  } catch (error) {
    await release();
    throw error;
  }
}
