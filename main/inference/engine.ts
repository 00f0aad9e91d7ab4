import { AppError } from "../../core/app-error.ts";
import type { Point } from "../../core/cardiac/points.ts";
import { processedLongestSidePx, type DecodedImage } from "../imaging/decode-image.ts";
import { rectify } from "../imaging/rectify.ts";
import { findFilmCorners, judgeImage, toFullSize } from "./colour-networks.ts";
import { combineVotes } from "./combine-votes.ts";
import { directMeasurement, popMeasurement, rejectedImage, unrectifiedImage } from "./engine-results.ts";
import type { Engine, EngineHealth, EngineOptions, MeasureOptions, PopFrame } from "./engine-types.ts";
import { landmarkDecodingSchema } from "./landmark-decoding.ts";
import type { GateVerdict } from "./gate-decoding.ts";
import { startNetworkThread } from "./network-client.ts";
import { createPackRegistry } from "./pack-registry.ts";

export type { Engine, EngineHealth, EngineOptions, MeasureOptions, PackStatus, PopFrame } from "./engine-types.ts";

/** Members that a complete ensemble has. */
export const expectedMembers = 5;

/** Loads the packs and starts measuring. Packs that fail are refused and told by `health`; the engine starts all the same. */
export async function createEngine({ packFolders, activePacks = {}, programVersion, log }: EngineOptions): Promise<Engine> {
  const registry = createPackRegistry(packFolders);
  let wanted = activePacks;
  let client = startNetworkThread();
  /** Reloading and reviving after a fault go one after the other, so that no two loads race. */
  let settling = Promise.resolve();
  let isClosed = false;

  const settle = () => {
    settling = settling.catch(() => undefined).then(async () => {
      if (!client.isAlive()) {
        log.error({}, "the networks stopped unexpectedly; starting them again");
        client = startNetworkThread();
        registry.forget();
      }
      await registry.reload(client, wanted);
      for (const { name, reason, state } of registry.statuses()) if (state === "refused") log.warn({ pack: name, reason }, "model pack refused");
    });
    return settling;
  };
  const networks = async () => {
    if (isClosed) throw new AppError("MODELS_NOT_LOADED");
    if (!client.isAlive()) await settle();
    return client;
  };
  const findCorners = async (photo: DecodedImage, signal?: AbortSignal) => {
    const corners = registry.active("corners");
    if (!corners || !registry.active("landmarks-pop")) throw new AppError("POP_NOT_LOADED");
    return findFilmCorners(await networks(), corners.manifest, photo, signal);
  };

  const measurePhotograph = async (photo: DecodedImage, verdict: GateVerdict | null, signal?: AbortSignal): Promise<PopFrame> => {
    const pack = registry.active("landmarks-pop");
    if (!pack) throw new AppError("POP_NOT_LOADED");
    const corners = await findCorners(photo, signal);
    if (!corners) return { film: null, measurement: unrectifiedImage(photo, verdict, pack.manifest, programVersion) };
    const options = { longestSidePx: processedLongestSidePx, ...(signal ? { signal } : {}) };
    const film = await rectify(photo, toFullSize(corners, photo), options);
    const image = { data: film.grey, width: film.widthPx, height: film.heightPx };
    const reading = await (await networks()).call("readLandmarks", { kind: "landmarks-pop", image }, signal);
    const { sharpnessHigh } = landmarkDecodingSchema.parse(pack.manifest.decoding);
    const geometry = combineVotes(reading, Math.max(film.widthPx, film.heightPx));
    const frame = { sha256: photo.sha256, widthPx: film.widthPx, heightPx: film.heightPx };
    return { film, measurement: popMeasurement(frame, corners, geometry, sharpnessHigh, verdict, pack.manifest, programVersion) };
  };

  const measureDirect = async (film: DecodedImage, verdict: GateVerdict | null, signal?: AbortSignal) => {
    const pack = registry.active("landmarks");
    if (!pack) throw new AppError("MODELS_NOT_LOADED");
    const image = { data: film.grey, width: film.widthPx, height: film.heightPx };
    const reading = await (await networks()).call("readLandmarks", { kind: "landmarks", image }, signal);
    return directMeasurement(film, combineVotes(reading, Math.max(film.widthPx, film.heightPx)), verdict, pack.manifest, programVersion);
  };

  const measure = async (film: DecodedImage, { signal }: MeasureOptions = {}) => {
    const landmarks = registry.active("landmarks");
    if (!landmarks) throw new AppError("MODELS_NOT_LOADED");
    const gate = registry.active("gate");
    const verdict = gate ? await judgeImage(await networks(), gate.manifest, film, signal) : null;
    switch (verdict?.kind) {
      case "neither":
        return rejectedImage(film, verdict, landmarks.manifest, programVersion);
      case "pop":
        if (!health().isPopEnabled) return unrectifiedImage(film, verdict, landmarks.manifest, programVersion);
        return (await measurePhotograph(film, verdict, signal)).measurement;
      case "direct":
      case undefined:
        return measureDirect(film, verdict, signal);
    }
  };

  const health = (): EngineHealth => {
    const landmarks = registry.active("landmarks");
    const pop = registry.active("landmarks-pop");
    const isPopEnabled = pop !== null && registry.active("corners") !== null;
    const isComplete = landmarks?.loadedMembers === expectedMembers && isPopEnabled && registry.active("gate") !== null;
    return {
      modelsLoaded: landmarks?.loadedMembers ?? 0,
      popModelsLoaded: pop?.loadedMembers ?? 0,
      isPopEnabled,
      isDegraded: !isComplete || !client.isAlive(),
      modelVersion: landmarks?.manifest.modelVersion ?? "none",
      packs: registry.statuses(),
    };
  };

  await settle();
  return {
    health,
    measure,
    measurePhotograph: (photo, { signal } = {}) => measurePhotograph(photo, null, signal),
    async findCorners(photo, { signal } = {}): Promise<readonly Point[] | null> {
      const corners = await findCorners(photo, signal);
      return corners && toFullSize(corners, photo);
    },
    async reload(names) {
      wanted = names ?? wanted;
      await settle();
    },
    async close() {
      isClosed = true;
      await settling.catch(() => undefined);
      await client.close();
    },
  };
}
