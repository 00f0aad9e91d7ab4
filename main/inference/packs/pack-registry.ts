import { AppError, type Reason } from "../../../core/app-error.ts";
import { discoverPacks, type FoundPack } from "./discover-packs.ts";
import { notRunnable } from "./pack-refusal.ts";
import type { Publisher } from "./pack-trust.ts";
import type { NetworkCall } from "../threads/network-calls.ts";
import { packKinds, type ManifestOf, type NetworkKind, type NetworkManifest, type PackKind } from "./pack-manifest.ts";

type ActivePack = {
  readonly folder: string;
  readonly manifest: NetworkManifest;
  readonly loadedVoters: number;
};
/** Pack to use for a kind, by name; a kind that is not named takes the first that loads. */
export type ActivePackNames = Partial<Readonly<Record<PackKind, string>>>;

/** A pack that was found, and why it is not in use when it is refused. */
export type PackStatus = {
  readonly kind: PackKind | null;
  readonly name: string;
  readonly version: string | null;
  readonly folder: string;
  readonly state: "active" | "available" | "refused";
  /** Why it was refused; null otherwise. */
  readonly reason: string | null;
  /** The same for people; null where it was not, or only English words are known. */
  readonly why: Reason | null;
};

type Candidate = Pick<ActivePack, "folder" | "manifest">;

/** Which packs there are, which are in use, and why the others are not. */
export type PackRegistry = {
  /**
   * Reads the folders and has every thread load what should be in use. A pack whose networks do not load leaves its
   * predecessor in use.
   */
  reload(everywhere: NetworkCall, wanted: ActivePackNames): Promise<void>;
  /** Clears the active packs after their thread ended. */
  forget(): void;
  active<Kind extends NetworkKind>(kind: Kind): (ActivePack & { readonly manifest: ManifestOf<Kind> }) | null;
  /** Those that a thread has to load to measure like the others. */
  inUse(): readonly ActivePack[];
  statuses(): readonly PackStatus[];
  /** Kinds whose wanted pack is not the one in use: refused, or gone. */
  notAsChosen(): readonly PackKind[];
};

/** @param publishers  whom the clinic has added, asked anew with each reload */
export function createPackRegistry(
  folders: readonly string[],
  publishers: () => Promise<readonly Publisher[]> = () => Promise.resolve([]),
): PackRegistry {
  const inUse = new Map<NetworkKind, ActivePack>();
  let statuses: readonly PackStatus[] = [];
  let chosen: ActivePackNames = {};
  return {
    async reload(everywhere, wanted) {
      chosen = wanted;
      const found = discoverPacks(folders, await publishers());
      const refusals = new Map<string, AppError>();
      // At once: a thread then has its next pack when this one is busy.
      await Promise.all(
        networkKinds.map((kind) => {
          const candidates = found.packs.filter((pack): pack is FoundPack & Candidate => pack.manifest.kind === kind);
          return settle(everywhere, inUse, kind, wantedFirst(candidates, wanted[kind]), refusals);
        }),
      );
      const isInUse = (folder: string) => [...inUse.values()].some((pack) => pack.folder === folder);
      const known = found.packs.map(({ folder, manifest: { kind, name, version } }): PackStatus => {
        const refusal = refusals.get(folder);
        return {
          kind,
          name,
          version,
          folder,
          state: refusal ? "refused" : isInUse(folder) ? "active" : "available",
          reason: refusal?.message ?? null,
          why: refusal?.reason ?? null,
        };
      });
      statuses = [...known, ...found.refused.map((pack): PackStatus => ({ ...pack, version: null, state: "refused" }))];
    },
    forget: () => inUse.clear(),
    active: (kind) => (inUse.get(kind) ?? null) as never,
    inUse: () => [...inUse.values()],
    statuses: () => statuses,
    notAsChosen: () =>
      networkKinds.filter((kind) => chosen[kind] !== undefined && inUse.get(kind)?.manifest.name !== chosen[kind]),
  };
}

const networkKinds = packKinds.filter((kind) => kind !== "usg");

function wantedFirst(candidates: readonly Candidate[], name: string | undefined): readonly Candidate[] {
  const isWanted = (pack: Candidate) => pack.manifest.name === name;
  return [...candidates.filter(isWanted), ...candidates.filter((pack) => !isWanted(pack))];
}

/**
 * Brings the pack of one kind in use: the first candidate, or where none was in use before, the first that loads. A
 * pack that fails leaves its predecessor in use, or makes room for the next candidate where that cannot be loaded
 * again; without a candidate none is in use.
 *
 * @param candidates  packs of this kind, the wanted one first
 * @param refusals    why packs were refused, by folder; added to
 */
async function settle(
  everywhere: NetworkCall,
  inUse: Map<NetworkKind, ActivePack>,
  kind: NetworkKind,
  candidates: readonly Candidate[],
  refusals: Map<string, AppError>,
): Promise<void> {
  let before = inUse.get(kind);
  for (const candidate of candidates) {
    if (before && isSamePack(before, candidate)) return;
    try {
      inUse.set(kind, { ...candidate, loadedVoters: await everywhere("load", candidate) });
      return;
    } catch (error) {
      refusals.set(candidate.folder, refusalOf(error));
      if (before && (await takeBack(everywhere, inUse, before))) return;
      before = undefined;
    }
  }
  if (before) {
    await everywhere("unload", { kind });
    inUse.delete(kind);
  }
}

/**
 * Has every thread use the predecessor: one may have loaded the pack that another refused, for want of memory. Where
 * one cannot, none is in use any more: two threads would measure with different networks.
 *
 * @returns whether it is in use
 */
async function takeBack(
  everywhere: NetworkCall,
  inUse: Map<NetworkKind, ActivePack>,
  before: ActivePack,
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

/** A failing pack is skipped; errors that are not the pack's fault are thrown again. */
function refusalOf(error: unknown): AppError {
  if (!(error instanceof AppError)) return notRunnable(error);
  if (error.code !== "PACK_REFUSED") throw error;
  return error;
}

/** The manifest holds every file's hash, so an equal manifest in the same place means the same pack. */
function isSamePack(a: Candidate, b: Candidate): boolean {
  return a.folder === b.folder && JSON.stringify(a.manifest) === JSON.stringify(b.manifest);
}
