import { AppError } from "../../../core/app-error.ts";
import { discoverPacks, statusOf, wantedFirst, type FoundPack, type PackStatus } from "./discover-packs.ts";
import { notRunnable } from "./pack-refusal.ts";
import type { Publisher } from "./pack-trust.ts";
import type { NetworkCall } from "../threads/network-calls.ts";
import { packKinds, type ManifestOf, type NetworkKind, type NetworkManifest, type PackKind } from "./pack-manifest.ts";

type NetworkPack = { readonly folder: string; readonly manifest: NetworkManifest };
/** Name of the pack to use for each kind; for other kinds the first one that loads is used. */
export type ActivePackNames = Partial<Readonly<Record<PackKind, string>>>;

export type PackRegistry = {
  /** Reads the folders and loads the packs to use in every thread. */
  reload(everywhere: NetworkCall, wanted: ActivePackNames): Promise<void>;
  forget(): void;
  active<Kind extends NetworkKind>(kind: Kind): ManifestOf<Kind> | null;
  inUse(): readonly NetworkPack[];
  statuses(): readonly PackStatus[];
  /** Kinds whose chosen pack is not in use, because it was refused or is missing. */
  notAsChosen(): readonly PackKind[];
};

/** @param publishers  reads the publishers that the clinic has added, at each reload */
export function createPackRegistry(
  folders: readonly string[],
  publishers: () => Promise<readonly Publisher[]> = () => Promise.resolve([]),
): PackRegistry {
  const inUse = new Map<NetworkKind, NetworkPack>();
  let statuses: readonly PackStatus[] = [];
  let chosen: ActivePackNames = {};
  return {
    async reload(everywhere, wanted) {
      chosen = wanted;
      const found = discoverPacks(folders, await publishers());
      const refusals = new Map<string, AppError>();
      // Load in parallel: a thread that has loaded a pack continues without waiting for the others.
      await Promise.all(
        networkKinds.map((kind) => {
          const candidates = found.packs.filter((pack): pack is FoundPack & NetworkPack => pack.manifest.kind === kind);
          return settle(everywhere, inUse, kind, wantedFirst(candidates, wanted[kind] ?? null), refusals);
        }),
      );
      const isInUse = (folder: string) => [...inUse.values()].some((pack) => pack.folder === folder);
      const known = found.packs.map((pack) => {
        const refusal = refusals.get(pack.folder);
        return statusOf(pack, refusal ? "refused" : isInUse(pack.folder) ? "active" : "available", refusal);
      });
      statuses = [...known, ...found.refused];
    },
    forget: () => inUse.clear(),
    active: (kind) => (inUse.get(kind)?.manifest ?? null) as never,
    inUse: () => [...inUse.values()],
    statuses: () => statuses,
    notAsChosen: () =>
      networkKinds.filter((kind) => chosen[kind] !== undefined && inUse.get(kind)?.manifest.name !== chosen[kind]),
  };
}

const networkKinds = packKinds.filter((kind) => kind !== "usg");

/**
 * Activates the first candidate, or the first that loads if none was in use before. If it fails, its predecessor stays
 * in use; if that cannot be loaded again, the next candidate is tried. `refusals`: by folder, added to.
 */
async function settle(
  everywhere: NetworkCall,
  inUse: Map<NetworkKind, NetworkPack>,
  kind: NetworkKind,
  candidates: readonly NetworkPack[],
  refusals: Map<string, AppError>,
): Promise<void> {
  let before = inUse.get(kind);
  for (const candidate of candidates) {
    if (before && isSamePack(before, candidate)) return;
    try {
      await everywhere("load", candidate);
      inUse.set(kind, candidate);
      return;
    } catch (error) {
      refusals.set(candidate.folder, refusalOf(error));
      if (before && (await restorePrevious(everywhere, inUse, before))) return;
      before = undefined;
    }
  }
  if (before) {
    await everywhere("unload", { kind });
    inUse.delete(kind);
  }
}

/**
 * Loads the predecessor in every thread, since one thread may have loaded the pack that another refused for lack of
 * memory. If one fails, none is in use: two threads would measure with different networks.
 */
async function restorePrevious(
  everywhere: NetworkCall,
  inUse: Map<NetworkKind, NetworkPack>,
  before: NetworkPack,
): Promise<boolean> {
  try {
    await everywhere("load", before);
    return true;
  } catch (error) {
    const { kind } = before.manifest;
    inUse.delete(kind);
    refusalOf(error);
    await everywhere("unload", { kind });
    return false;
  }
}

/** Refusal for a failed pack; rethrows errors that the pack did not cause. */
function refusalOf(error: unknown): AppError {
  if (!(error instanceof AppError)) return notRunnable(error);
  if (error.code !== "PACK_REFUSED") throw error;
  return error;
}

/** The manifest contains the hash of every file, so an equal manifest in the same folder means the same pack. */
function isSamePack(a: NetworkPack, b: NetworkPack): boolean {
  return a.folder === b.folder && JSON.stringify(a.manifest) === JSON.stringify(b.manifest);
}
