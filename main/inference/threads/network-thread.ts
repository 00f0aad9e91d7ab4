import { workerData } from "node:worker_threads";
import { AppError } from "../../../core/app-error.ts";
import { agreeOnView, voteOnCloseUp, greyInput, locateThorax, voteOfMembers } from "../landmarks/look-at-film.ts";
import { loadPack, type LoadedPack, type NetworkCores } from "../packs/loaded-pack.ts";
import { serveThread, type ServedCall } from "../../workers/serve-thread.ts";
import type { NetworkCalls } from "./network-calls.ts";
import type { ManifestOf, NetworkKind } from "../packs/pack-manifest.ts";
import { votersOf } from "../packs/pack-tensors.ts";

// Runs in a thread because onnxruntime-node blocks the calling thread for the whole run.

const packs = new Map<NetworkKind, LoadedPack>();

serveThread<NetworkCalls>(
  {
    load: unlessCancelled(({ folder, manifest }) => load(folder, manifest)),
    unload: unlessCancelled(({ kind }) => unload(kind)),
    run: unlessCancelled(({ kind, input }) => runFirst(packOf(kind), input)),
    judge: unlessCancelled(({ levels, frame }) => runFirst(packOf("gate"), greyInput(packOf("gate"), levels, frame))),
    locate: unlessCancelled(({ kind, member, view }) => locateThorax(packOf(kind), member, view)),
    look: unlessCancelled(({ kind, member, view }) => voteOfMembers(packOf(kind), member, view)),
    agree: unlessCancelled(({ kind, columns, hearts, levels }) => agreeOnView(packOf(kind), columns, hearts, levels)),
    closeUp: unlessCancelled(({ kind, hearts, levels }) => voteOnCloseUp(packOf(kind), hearts, levels)),
  },
  { isInTurn: true, onClose: releaseAll },
);

/** Rejects a call that was cancelled before it started. */
function unlessCancelled<Request, Answer>(work: (request: Request) => Answer) {
  return (request: Request, call: ServedCall<unknown>): Answer => {
    if (call.isCancelled()) throw new AppError("ABORTED");
    return work(request);
  };
}

async function load(folder: string, manifest: ManifestOf<NetworkKind>): Promise<number> {
  const loaded = await loadPack(folder, manifest, workerData as NetworkCores);
  await packs.get(manifest.kind)?.release();
  packs.set(manifest.kind, loaded);
  return votersOf(manifest);
}

async function unload(kind: NetworkKind): Promise<null> {
  await packs.get(kind)?.release();
  packs.delete(kind);
  return null;
}

async function runFirst({ members, manifest }: LoadedPack, input: Float32Array): Promise<Float32Array> {
  const outputs = await members[0]?.run(input);
  const [first] = manifest.outputs;
  const values = first && outputs?.get(first.name);
  if (!values) throw new AppError("INTERNAL", `the ${manifest.kind} network returned no output`);
  return values;
}

function packOf<Kind extends NetworkKind>(kind: Kind): LoadedPack<Kind> {
  const pack = packs.get(kind);
  if (!pack) throw new AppError(kind === "landmarks" ? "MODELS_NOT_LOADED" : "POP_NOT_LOADED");
  return pack as LoadedPack<Kind>;
}

async function releaseAll(): Promise<void> {
  for (const pack of packs.values()) await pack.release();
}
