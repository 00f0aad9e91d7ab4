import PQueue from "p-queue";
import { AppError } from "../../core/app-error.ts";
import { toFullSize } from "./screens/colour-networks.ts";
import type { Engine, EngineHealth, EngineOptions, MeasureOptions } from "./engine-types.ts";
import type { Instruments } from "./instruments.ts";
import { canMeasure, measure } from "./measuring.ts";
import { findCorners, isPopEnabled, measurePhotograph } from "./screens/photographs.ts";
import { startNetworkPool, type NetworkPool } from "./threads/network-pool.ts";
import { votersOf } from "./packs/pack-tensors.ts";
import { createPackRegistry, type PackRegistry } from "./packs/pack-registry.ts";

export type { Engine, EngineOptions, PopFrame } from "./engine-types.ts";
export const expectedVoters = 5;

export async function createEngine(options: EngineOptions): Promise<Engine> {
  const { engine, loaded } = startEngine(options);
  await loaded;
  return engine;
}

/** Films wait until `loaded` settles. Packs that fail are refused and reported by `health`. */
export function startEngine(
  options: EngineOptions,
  pool = startNetworkPool(),
): { readonly engine: Engine; readonly loaded: Promise<void> } {
  const registry = createPackRegistry(options.packFolders, options.publishers);
  const supervisor = createSupervisor(options, registry, pool);
  const instrumentsFor = async ({
    signal,
    cameAtMs = performance.now(),
  }: MeasureOptions = {}): Promise<Instruments> => {
    const call = (await supervisor.pool()).forFilm(cameAtMs, signal);
    return { registry, call, signal, programVersion: options.programVersion };
  };
  const withPacks = async <Answer>(
    options: MeasureOptions | undefined,
    work: (instruments: Instruments) => Promise<Answer>,
  ): Promise<Answer> => {
    const instruments = await instrumentsFor(options);
    return supervisor.films.add(() => work(instruments));
  };
  const loaded = supervisor.settle(options.activePacks ?? {});
  // Avoid an unhandled rejection: the caller may start to wait only after the failure.
  loaded.catch(() => undefined);
  const engine: Engine = {
    health: () => healthOf(registry, supervisor.isWhole()),
    measure: (film, measureOptions) => withPacks(measureOptions, (instruments) => measure(instruments, film)),
    measurePhotograph: (photo, measureOptions) =>
      withPacks(measureOptions, (instruments) => measurePhotograph(instruments, photo)),
    async findCorners(photo, measureOptions) {
      const corners = await withPacks(measureOptions, (instruments) => findCorners(instruments, photo));
      return corners && toFullSize(corners, photo);
    },
    reload: (names) => supervisor.settle(names),
    close: () => supervisor.close(),
  };
  return { engine, loaded };
}

function createSupervisor({ log }: EngineOptions, registry: PackRegistry, firstPool: NetworkPool) {
  let pool = firstPool;
  let wanted: Parameters<PackRegistry["reload"]>[1] = {};
  let isClosed = false;
  let lacksThreads = false;
  /** Reloads run in sequence, so that no two race for a kind. */
  let settling: Promise<void> = Promise.resolve();
  /** Running measurements. None runs while packs change, so that no film is measured by two packs. */
  const films = new PQueue();

  const settleNow = async (names: typeof wanted) => {
    wanted = names;
    const error = pool.fault();
    if (error) {
      log.error({ error }, "the networks stopped unexpectedly; starting them again");
      await pool.close();
      pool = startNetworkPool();
      registry.forget();
    }
    films.pause();
    try {
      await films.onPendingZero();
      await registry.reload(pool.everywhere, wanted);
    } finally {
      films.start();
    }
    for (const { name, reason, state } of registry.statuses())
      if (state === "refused") log.warn({ security: "pack.refused", pack: name, reason }, "model pack refused");
  };
  /** Starts the remaining threads, while films are measured already. */
  const completePool = async () => {
    if (isClosed) return;
    try {
      await pool.complete(registry.inUse());
      lacksThreads = false;
    } catch (error) {
      lacksThreads = true;
      log.error({ error }, "films are measured by fewer threads");
    }
  };
  const settle = (names?: typeof wanted) => {
    const settled = settling.then(() => settleNow(names ?? wanted));
    settling = settled.then(completePool, () => undefined);
    return settled;
  };
  return {
    settle,
    films,
    isWhole: () => !pool.fault() && !lacksThreads,
    async pool() {
      if (isClosed) throw new AppError("MODELS_NOT_LOADED");
      if (pool.fault()) await settle();
      return pool;
    },
    async close() {
      isClosed = true;
      await settling;
      await pool.close();
    },
  };
}

function healthOf(registry: PackRegistry, isPoolWhole: boolean): EngineHealth {
  const landmarks = registry.active("landmarks");
  const photographs = registry.active("landmarks-pop");
  const modelsLoaded = landmarks ? votersOf(landmarks) : 0;
  const isComplete = modelsLoaded === expectedVoters && isPopEnabled(registry) && registry.active("gate") !== null;
  return {
    modelsLoaded,
    popModelsLoaded: photographs ? votersOf(photographs) : 0,
    isPopEnabled: isPopEnabled(registry),
    canMeasure: canMeasure(registry),
    isDegraded: !isComplete || !isPoolWhole || registry.notAsChosen().length > 0,
    modelVersion: landmarks?.modelVersion ?? "none",
    notAsChosen: registry.notAsChosen(),
    release: landmarks?.release ?? null,
    packs: registry.statuses(),
  };
}
