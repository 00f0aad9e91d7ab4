import { AppError } from "../../../core/app-error.ts";
import { systemFaultOf } from "../../../core/system-fault.ts";
import { startThread, threadFile, ThreadEnded } from "../../workers/start-thread.ts";
import type { NetworkCores } from "../packs/loaded-pack.ts";
import type { NetworkCallName, NetworkCalls } from "./network-calls.ts";

// Disables the telemetry of ONNX Runtime 1.29 and later before it loads. Native code does not see the environment of a
// worker thread, so the main thread sets it.
process.env["ORT_DISABLE_TELEMETRY"] = "1";

export type NetworkThread = {
  /** @throws AppError of the catalogue, ABORTED after the signal, INTERNAL if the thread has ended */
  call<Name extends NetworkCallName>(
    name: Name,
    request: NetworkCalls[Name]["request"],
    signal?: AbortSignal,
  ): Promise<NetworkCalls[Name]["answer"]>;
  /** Error for a thread that has ended unexpectedly; null while it runs. */
  fault(): AppError | null;
  close(): Promise<void>;
};

/**
 * Most garbage is outside the heap: onnxruntime-node also copies each output to a new buffer (0.7 MB). With little
 * memory for young objects, quick collections release these buffers instead of full ones.
 */
const maxYoungGenerationSizeMb = 3;

/**
 * Error for a network thread that ended, or could not start for lack of file handles. `cause` is the thread's error,
 * absent if native code ended it.
 */
function networksStopped(cause: unknown): AppError {
  return systemFaultOf(cause) ?? new AppError("INTERNAL", "the networks stopped unexpectedly", { cause });
}

export function startNetworkThread(cores: NetworkCores): NetworkThread {
  const file = threadFile("network-thread", import.meta.url);
  const thread = startThread<NetworkCalls>(file, { data: cores, limits: { maxYoungGenerationSizeMb } });
  return {
    fault: () => (thread.isReusable() ? null : networksStopped(thread.fault())),
    call: (name, request, signal) =>
      thread.call(name, request, { signal }).catch((error: unknown) => {
        throw error instanceof ThreadEnded ? networksStopped(error.cause) : error;
      }),
    close: () => thread.close(),
  };
}
