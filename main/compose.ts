import path from "node:path";
import { AppError, because, failureOf } from "../core/app-error.ts";
import { collectBuffers } from "./collect-garbage.ts";
import { openDesktop } from "./composition/open-desktop.ts";
import { createDicomReader } from "./dicom/dicom-reader.ts";
import { createEngine, type Engine } from "./inference/engine.ts";
import { lockDataDir } from "./instance-lock.ts";
import type { DesktopOptions } from "./ipc/handlers.ts";
import type { Desktop } from "./ipc/desktop.ts";
import { registerDesktopRoutes } from "./ipc/http-transport.ts";
import { programPacksDir, programVersion } from "./program.ts";
import { createDeliveries } from "./services/measuring/deliveries.ts";
import { createHandoutPrinter } from "./report/print-handout.ts";
import { buildServer, type RouteGroup } from "./server/build-server.ts";
import { listen, type Listening } from "./server/listen.ts";
import { usgRoutes } from "./server/routes/usg.ts";
import { certificateTime } from "./server/tls/certificate-time.ts";
import { ensureTlsCredentials, type TlsCredentials } from "./server/tls/tls.ts";
import { announceReceiver } from "./services/program/announce-receiver.ts";
import { announceRenewal } from "./services/program/announce-renewal.ts";
import { startDatabaseWatch } from "./services/program/watches/database-watch.ts";
import { startDailyBackup } from "./services/program/backups/backup.ts";
import { startConversion } from "./services/program/encryption/convert-files.ts";
import { clearLeftovers } from "./services/program/leftovers.ts";
import { startDiskWatch } from "./services/program/watches/disk-watch.ts";
import type { UpdateHost } from "./services/updates/update-host.ts";
import type { UpdateOrigin } from "./services/updates/shown-updates.ts";
import type { StartAtLogIn } from "./services/desktop/start-at-log-in.ts";
import type { Sealer } from "./services/desktop/secrets.ts";
import { startRecordWatch, type HeadVault } from "./services/program/watches/record-watch.ts";
import { noteReadWith } from "./services/program/packs.ts";
import { openStoreOf } from "./services/program/store-location.ts";
import { startMachineWatch } from "./services/program/watches/machine-watch.ts";
import { createTroubles, type Trouble } from "./services/program/troubles.ts";
import type { Fault, Log, ServiceContext } from "./services/measuring/service-context.ts";
import { forgetRevoked } from "./services/calls/callers.ts";
import { settlePendingDeliveries } from "./services/calls/delivery.ts";
import { openUsgScreening } from "./services/calls/screen-usg.ts";
import { createWorkQueue } from "./services/measuring/work-queue.ts";
import { engineOf } from "./store/engines/engine.ts";
import {
  activePacksSetting,
  getSetting,
  hostNamesSetting,
  plainHttpSetting,
  publishersSetting,
} from "./store/settings.ts";

/** How a program is put together; everything but the data directory and the port has a sensible default. */
export type CorvetOptions = {
  readonly dataDir: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** Takes a free port if the wanted one is in use or reserved, and reports it in the window. */
  readonly takesFreePort?: boolean;
  readonly log: Log;
  /** PostgreSQL database of the store; if omitted, from the environment or the settings. */
  readonly database?: string | null | undefined;
  readonly transport: "electron" | "browser";
  /** Model packs that came with the program; another folder for tests and vendors. */
  readonly packsDir?: string;
  /** Replaces the packs' networks, for example by recorded responses in tests of the store. */
  readonly engine?: Engine;
  readonly now?: () => Date;
  readonly openFolder?: (folder: string) => Promise<void>;
  readonly startAtLogIn?: StartAtLogIn | null;
  /** Ends the program and starts it again, where it can. */
  readonly restart?: (() => void) | null;
  /** Replaces the program, where it is installed with a window. */
  readonly updateHost?: UpdateHost | null;
  readonly updateOrigin?: UpdateOrigin;
  readonly openMail?: DesktopOptions["openMail"];
  /** The operating system's key store, if any: for the record's head, and for passwords and keys. */
  readonly sealer?: Sealer | null;
  readonly headVault?: HeadVault | null;
};

export type Corvet = {
  readonly context: ServiceContext;
  readonly desktop: Desktop;
  readonly url: string;
  readonly port: number;
  /** Certificate of the authority that signed the server's. */
  readonly authorityFile: string;
  /** Address of the page with a new one-time token. */
  pageUrl(): string;
  /** Waits up to 10 s for requests in flight, then closes everything. */
  close(): Promise<void>;
};

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
  const isInDatabase = engineOf(db).file === null;
  const packFolders = [options.packsDir ?? programPacksDir, path.join(dataDir, "packs")];
  const activePacks = await getSetting(db, activePacksSetting);
  const publishers = await getSetting(db, publishersSetting);
  const hostNames = await getSetting(db, hostNamesSetting);
  const [engine, credentials] = await Promise.all([
    options.engine ??
      createEngine({
        packFolders,
        activePacks,
        publishers: () => getSetting(db, publishersSetting),
        programVersion,
        log,
      }),
    ensureTlsCredentials(dataDir, hostNames, await certificateTime({ db, now })),
  ]);
  closing.defer(() => engine.close());
  noteReadWith(engine, publishers);

  const dicom = createDicomReader();
  closing.defer(() => dicom.close());
  const handouts = createHandoutPrinter();
  closing.defer(() => handouts.close());
  const faults = createFaults(log);
  const troubles = createTroubles({ now, log, reportFault: faults.report });
  const context: ServiceContext = {
    db,
    engine,
    queue: createWorkQueue(),
    dicom,
    handouts,
    deliveries: createDeliveries(),
    now,
    log,
    reportFault: faults.report,
    troubles: troubles.list,
    programVersion,
    dataDir,
  };
  closing.defer(collectBuffers());
  let inUse = credentials;
  const onCertificates = (renewed: TlsCredentials): void => {
    inUse = renewed;
    announceRenewal(context, troubles, renewed);
  };
  onCertificates(credentials);
  let adoptOrphanedWork = () => Promise.resolve();
  const machine = await startMachineWatch(context, () => adoptOrphanedWork());
  closing.defer(() => machine.stop());
  await clearLeftovers(context);
  const watch = await startRecordWatch(context, troubles, options.headVault ?? null);
  closing.defer(() => watch.stop());
  const disk = await startDiskWatch(context, troubles, { isBesideDatabase: isInDatabase });
  closing.defer(() => disk.stop());
  const backups = isInDatabase ? null : startDailyBackup(context);
  if (backups !== null) {
    closing.defer(() => backups.stop());
    const conversion = startConversion(context, troubles);
    closing.defer(() => conversion.stop());
  }
  const usg = await openUsgScreening(context, { packFolders, wantedPack: activePacks["usg"] ?? null });
  closing.defer(() => usg.close());

  let listening: Listening | null = null;
  const desktop = await openDesktop(context, {
    transport: options.transport,
    packFolders,
    usg,
    serverAddress: () => listening && { url: listening.url, port: listening.port },
    authorityFile: () => credentials.authorityPath,
    authorityRenewal: () => inUse.renewal,
    recentRequests: () => app.requestLog.entries(),
    sealer: options.sealer ?? null,
    ...(options.openFolder && { openFolder: options.openFolder }),
    startAtLogIn: options.startAtLogIn ?? null,
    restart: options.restart ?? null,
    isBackingUp: () => backups?.isUnderWay() ?? false,
    updateHost: options.updateHost ?? null,
    ...(options.updateOrigin && { updateOrigin: options.updateOrigin }),
    onReceiver: (fault) => announceReceiver(troubles, fault),
    ...(options.openMail && { openMail: options.openMail }),
  });
  closing.defer(() => desktop.close());
  closing.defer(() => void (adoptOrphanedWork = () => Promise.resolve()));
  adoptOrphanedWork = async () => {
    desktop.reloadPublishers();
    const { queue } = desktop.parts;
    const tried = async (work: Promise<unknown>, otherwise: string) =>
      await work.catch((error: unknown) => log.warn({ error }, otherwise));
    await tried(forgetRevoked(db), "keys that were revoked elsewhere are still remembered");
    await tried(settlePendingDeliveries(context), "the outcome of earlier responses could not be stored");
    await tried(queue.takeOver(), "films of machines that are gone were not taken over");
    await tried(desktop.rememberSettings(), "the settings for an outage of the database are out of date");
  };
  faults.forward(desktop.reportFault);
  troubles.follow((list) => {
    desktop.context.publish({ name: "troubles.changed", payload: { troubles: [...list] } });
    // A disk that was full may have stopped the films that wait.
    if (list.length === 0) desktop.parts.queue.wake();
  });
  // Reports faults found before the window could show them.
  for (const trouble of troubles.list()) desktop.reportFault({ at: now().toISOString(), ...trouble });
  let signInPath = () => "/";
  const page: RouteGroup = async (server) => {
    ({ signInPath } = await registerDesktopRoutes(server, desktop));
  };
  const app = buildServer(context, {
    credentials,
    configuredHosts: hostNames,
    isPlainHttpAllowed: await getSetting(db, plainHttpSetting),
    routeGroups: [usgRoutes(usg), page],
  });
  const { takesFreePort = false } = options;
  listening = await listen(app, { port: options.port, takesFreePort, onCertificates });
  if (options.port !== 0 && listening.port !== options.port) troubles.raise(portTrouble(options.port, listening.url));
  closing.defer(() => listening?.close());

  const { url, port } = listening;
  lock.announce({ url, port, pid: process.pid, authority: credentials.authorityPath });
  await desktop.start();
  if (isInDatabase) {
    await desktop.rememberSettings();
    const database = startDatabaseWatch(context, troubles, desktop.setDatabaseAway);
    closing.defer(() => database.stop());
  }
  return {
    context,
    desktop,
    url,
    port,
    authorityFile: credentials.authorityPath,
    pageUrl: () => `${url}${signInPath()}`,
  };
}

/** The service listens on a free port in place of the wanted one. */
function portTrouble(port: number, url: string): Trouble {
  return failureOf(new AppError("PORT_TAKEN", because("portTaken", { port: String(port), url })));
}

/** Faults are logged from the first moment and shown in the window as soon as there is one. */
function createFaults(log: Log) {
  let show: (fault: Fault) => void = () => undefined;
  return {
    report: (fault: Fault) => {
      log.error({ code: fault.code }, fault.message);
      show(fault);
    },
    forward: (to: (fault: Fault) => void) => {
      show = to;
    },
  };
}
