import { parentPort, workerData } from "node:worker_threads";
import { AppError } from "../../../core/app-error.ts";
import { agreeOnEdges, greyInput, locateThorax, memberLook } from "../landmarks/look-at-film.ts";
import { loadPack, type LoadedPack } from "../packs/loaded-pack.ts";
import type { NetworkCalls, NetworkMessage, NetworkReply } from "./network-calls.ts";
import type { ManifestOf, NetworkKind } from "../packs/pack-manifest.ts";

// A thread of its own because onnxruntime-node runs a network on the thread that asks for it, for its whole duration.

type Call = Exclude<NetworkMessage, "close">;

const port = parentPort;
if (!port) throw new Error("network-thread is started as a worker thread");
const packs = new Map<NetworkKind, LoadedPack>();
/** One call after the other. */
let line: Promise<void> = Promise.resolve();

port.on("message", (message: NetworkMessage) => {
  line = line.then(() => (message === "close" ? close() : reply(message)));
});

async function reply(call: Call): Promise<void> {
  let answer: NetworkReply;
  try {
    answer = { id: call.id, answer: await perform(call) };
  } catch (error) {
    const code = error instanceof AppError ? error.code : null;
    answer = { id: call.id, failure: { code, error: error instanceof Error ? error : new Error(String(error)) } };
  }
  port?.postMessage(answer);
}

async function perform(call: Call): Promise<NetworkCalls[keyof NetworkCalls]["answer"]> {
  const isCancelled = () => Atomics.load(call.cancelled, 0) === 1;
  if (isCancelled()) throw new AppError("ABORTED");
  switch (call.name) {
    case "load":
      return load(call.request.folder, call.request.manifest);
    case "unload":
      return unload(call.request.kind);
    case "run":
      return runFirst(packOf(call.request.kind), call.request.input);
    case "judge":
      return runFirst(packOf("gate"), greyInput(packOf("gate"), call.request.levels));
    case "locate":
      return locateThorax(packOf(call.request.kind), call.request.view);
    case "look":
      return memberLook(packOf(call.request.kind), call.request.member, call.request.view);
    case "agree":
      return agreeOnEdges(packOf(call.request.kind), call.request.columns);
  }
}

async function load(folder: string, manifest: ManifestOf<NetworkKind>): Promise<number> {
  const loaded = await loadPack(folder, manifest, workerData as number);
  await packs.get(manifest.kind)?.release();
  packs.set(manifest.kind, loaded);
  return loaded.members.length;
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
  if (!values) throw new AppError("INTERNAL", `the ${manifest.kind} network gave no output`);
  return values;
}

function packOf<Kind extends NetworkKind>(kind: Kind): LoadedPack<Kind> {
  const pack = packs.get(kind);
  if (!pack) throw new AppError(kind === "landmarks" ? "MODELS_NOT_LOADED" : "POP_NOT_LOADED");
  return pack as LoadedPack<Kind>;
}

async function close(): Promise<void> {
  for (const pack of packs.values()) await pack.release();
  port?.close();
}
