import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { startEngine } from "../inference/engine.ts";
import type { InstanceLock } from "../instance-lock.ts";
import { programPacksDir, programVersion } from "../program.ts";
import { certificateTime } from "../server/tls/certificate-time.ts";
import { ensureTlsCredentials } from "../server/tls/tls.ts";
import { recordPackReaders } from "../services/program/packs.ts";
import { openStoreOf } from "../services/program/store-location.ts";
import { activePacksSetting, getSetting, hostNamesSetting, publishersSetting } from "../store/settings.ts";
import type { Corvet, CorvetOptions } from "./corvet.ts";

/**
 * Opens the store and the services while the packs load.
 *
 * @throws AppError STORE_DAMAGED, STORE_UNAVAILABLE
 */
export async function openProgram(
  options: CorvetOptions,
  lock: InstanceLock,
  closing: AsyncDisposableStack,
): Promise<Omit<Corvet, "close">> {
  const { dataDir, log, now = () => new Date() } = options;
  const db = await openStoreOf(dataDir, { database: options.database, sealer: options.sealer });
  closing.defer(() => db.destroy());
  const packFolders = [options.packsDir ?? programPacksDir, path.join(dataDir, "packs")];
  const activePacks = await getSetting(db, activePacksSetting);
  const publishers = await getSetting(db, publishersSetting);
  const networks = {
    packFolders,
    activePacks,
    publishers: () => getSetting(db, publishersSetting),
    programVersion,
    log,
  };
  const { engine, loaded } = options.engine
    ? { engine: options.engine, loaded: Promise.resolve() }
    : startEngine(networks, options.pool);
  closing.defer(() => engine.close());
  recordPackReaders(engine, publishers);
  const [credentials, openServices] = await Promise.all([
    ensureTlsCredentials(dataDir, await getSetting(db, hostNamesSetting), await certificateTime({ db, now })),
    importServices(),
  ]);
  return await openServices({ ...options, now }, { lock, db, engine, loaded, credentials, packFolders }, closing);
}

/** Loads the rest of the program, which blocks this thread, while another one loads the networks. */
async function importServices() {
  await setImmediate();
  const { openServices } = await import("./open-services.ts");
  return openServices;
}
