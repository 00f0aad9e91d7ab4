import path from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Corvet, CorvetOptions } from "./composition/corvet.ts";
import { startEngine } from "./inference/engine.ts";
import { lockDataDir } from "./instance-lock.ts";
import { programPacksDir, programVersion } from "./program.ts";
import { certificateTime } from "./server/tls/certificate-time.ts";
import { ensureTlsCredentials } from "./server/tls/tls.ts";
import { noteReadWith } from "./services/program/packs.ts";
import { openStoreOf } from "./services/program/store-location.ts";
import { activePacksSetting, getSetting, hostNamesSetting, publishersSetting } from "./store/settings.ts";

export type { Corvet, CorvetOptions } from "./composition/corvet.ts";

/**
 * Composes Corvet: locks the data directory, opens the store, loads the networks, listens, and writes `server.json`.
 *
 * @throws AppError STORE_BUSY if another program uses the data directory, STORE_DAMAGED
 */
export async function openCorvet(options: CorvetOptions): Promise<Corvet> {
  await using opened = new AsyncDisposableStack();
  const corvet = await open(options, opened);
  // Owns the opened resources and closes them once, in reverse order.
  const closing = opened.move();
  let closed: Promise<void> | null = null;
  return { ...corvet, close: () => (closed ??= closing.disposeAsync()) };
}

async function open(options: CorvetOptions, closing: AsyncDisposableStack): Promise<Omit<Corvet, "close">> {
  const { dataDir, log } = options;
  const now = options.now ?? (() => new Date());
  const lock = lockDataDir(dataDir);
  closing.defer(() => lock.release());
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
    : startEngine(networks);
  closing.defer(() => engine.close());
  noteReadWith(engine, publishers);
  const [credentials, openServices] = await Promise.all([
    ensureTlsCredentials(dataDir, await getSetting(db, hostNamesSetting), await certificateTime({ db, now })),
    importServices(),
  ]);
  return await openServices({ ...options, now }, { lock, db, engine, loaded, credentials, packFolders }, closing);
}

/** Loads the rest of the program, which blocks this thread, while another one loads the networks. */
async function importServices() {
  await setImmediate();
  const { openServices } = await import("./composition/open-services.ts");
  return openServices;
}
