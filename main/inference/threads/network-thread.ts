import { workerData } from "node:worker_threads";
import { AppError } from "../../../core/app-error.ts";
import { agreeOnView, voteOnCloseUp, greyInput, locateThorax, voteOfMembers } from "../landmarks/look-at-film.ts";
import { loadPack, type LoadedPack, type NetworkCores } from "../packs/loaded-pack.ts";
import { serveThread } from "../../workers/serve-thread.ts";
import type { NetworkCalls } from "./network-calls.ts";
import type { NetworkSession } from "./network-session.ts";
import type { ManifestOf, NetworkKind } from "../packs/pack-manifest.ts";

// Runs in a thread because onnxruntime-node blocks the calling thread for the whole run.

const packs = new Map<NetworkKind, LoadedPack>();

serveThread<NetworkCalls>(
  {
    load: ({ folder, manifest }) => load(folder, manifest),
    unload: ({ kind }) => unload(kind),
    run: ({ kind, input }) => runFirst(packOf(kind), input),
    judge: ({ levels, frame }) => runFirst(packOf("gate"), greyInput(packOf("gate"), levels, frame)),
    locate: ({ kind, member, view }) => locateThorax(packOf(kind), member, view),
    look: ({ kind, member, view }) => voteOfMembers(packOf(kind), member, view),
    agree: ({ kind, columns, hearts, levels }) => agreeOnView(packOf(kind), columns, hearts, levels),
    closeUp: ({ kind, hearts, levels }) => voteOnCloseUp(packOf(kind), hearts, levels),
  },
  { isInTurn: true, onClose: releaseAll },
);

async function load(folder: string, manifest: ManifestOf<NetworkKind>): Promise<null> {
  const loaded = await loadPack(folder, manifest, workerData as NetworkCores);
  await packs.get(manifest.kind)?.release();
  packs.set(manifest.kind, loaded);
  return null;
}

async function unload(kind: NetworkKind): Promise<null> {
  await packs.get(kind)?.release();
  packs.delete(kind);
  return null;
}

async function runFirst({ members }: LoadedPack, input: Float32Array): Promise<Float32Array> {
  const [first] = (await (members[0] as NetworkSession).run(input)).values();
  return first as Float32Array;
}

function packOf<Kind extends NetworkKind>(kind: Kind): LoadedPack<Kind> {
  const pack = packs.get(kind);
  if (!pack) throw new AppError(kind === "landmarks" ? "MODELS_NOT_LOADED" : "POP_NOT_LOADED");
  return pack as LoadedPack<Kind>;
}

async function releaseAll(): Promise<void> {
  for (const pack of packs.values()) await pack.release();
}
