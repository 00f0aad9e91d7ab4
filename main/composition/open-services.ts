import { because } from "../../core/app-error.ts";
import { collectBuffers } from "../collect-garbage.ts";
import { createDicomReader } from "../dicom/dicom-reader.ts";
import type { Engine } from "../inference/engine.ts";
import type { InstanceLock } from "../instance-lock.ts";
import { registerDesktopRoutes } from "../ipc/http-transport.ts";
import { programVersion } from "../program.ts";
import { createHandoutPrinter } from "../report/print-handout.ts";
import { buildServer, type RouteGroup } from "../server/build-server.ts";
import { listen } from "../server/listen.ts";
import { usgRoutes } from "../server/routes/usg.ts";
import type { TlsCredentials } from "../server/tls/tls.ts";
import { forgetRevoked } from "../services/calls/callers.ts";
import { openUsgScreening } from "../services/calls/screen-usg.ts";
import type { ServiceContext } from "../services/measuring/service-context.ts";
import { createWorkQueue } from "../services/measuring/work-queue.ts";
import { announceRenewal } from "../services/program/announce-renewal.ts";
import { startDailyBackup } from "../services/program/backups/backup.ts";
import { startConversion } from "../services/program/encryption/convert-files.ts";
import { clearLeftovers } from "../services/program/leftovers.ts";
import { createTroubles, type Troubles } from "../services/program/troubles.ts";
import { startDatabaseWatch } from "../services/program/watches/database-watch.ts";
import { startDiskWatch } from "../services/program/watches/disk-watch.ts";
import { startMachineWatch } from "../services/program/watches/machine-watch.ts";
import { startRecordWatch } from "../services/program/watches/record-watch.ts";
import type { WritableDb } from "../store/database.ts";
import { engineOf } from "../store/engines/engine.ts";
import { activePacksSetting, getSetting, hostNamesSetting, plainHttpSetting } from "../store/settings.ts";
import { startCallCleanup } from "./call-cleanup.ts";
import { startCertificateRenewal } from "./certificate-renewal.ts";
import type { Corvet, CorvetOptions } from "./corvet.ts";
import { createEvents } from "./events.ts";
import { createFaults } from "./faults.ts";
import { openDesktop } from "./open-desktop.ts";
import type { ReceiverFault } from "../../core/contract/desktop/network/dicom.ts";

/** Parts that are opened first, so that measuring can begin as early as possible. */
type Opened = {
  readonly lock: InstanceLock;
  readonly db: WritableDb;
  readonly engine: Engine;
  /** Settles when the engine can measure; the server listens only then. */
  readonly loaded: Promise<void>;
  readonly credentials: TlsCredentials;
  readonly packFolders: readonly string[];
};

/** Starts everything around store and networks, listens, and writes `server.json`. */
export async function openServices(
  options: CorvetOptions & { readonly now: () => Date },
  { lock, db, engine, loaded, credentials, packFolders }: Opened,
  closing: AsyncDisposableStack,
): Promise<Omit<Corvet, "close">> {
  const { dataDir, log, now } = options;
  const isInDatabase = engineOf(db).file === null;
  const dicom = createDicomReader();
  closing.defer(() => dicom.close());
  const handouts = createHandoutPrinter();
  closing.defer(() => handouts.close());
  const events = createEvents(log);
  const faults = createFaults(events.pages, { log, now });
  const troubles = createTroubles({ log, reportFault: faults.report }, events.domain.raise);
  const context: ServiceContext = {
    db,
    engine,
    queue: createWorkQueue(),
    dicom,
    handouts,
    deliveries: new Map(),
    callers: new Map(),
    refusals: new Map(),
    now,
    log,
    reportFault: faults.report,
    troubles: troubles.list,
    programVersion,
    dataDir,
  };
  closing.defer(collectBuffers());
  let inUse = credentials;
  const noteCertificates = (renewed: TlsCredentials): void => {
    inUse = renewed;
    announceRenewal(context, troubles, renewed);
  };
  noteCertificates(credentials);
  let adoptOrphanedWork = () => Promise.resolve();
  const machine = await startMachineWatch(context, () => adoptOrphanedWork(), options.pollMs);
  closing.defer(() => machine.stop());
  await clearLeftovers(context);
  const watch = await startRecordWatch(context, troubles, options.headVault ?? null);
  closing.defer(() => watch.stop());
  const disk = await startDiskWatch(context, troubles, { isBesideDatabase: isInDatabase, everyMs: options.pollMs });
  closing.defer(() => disk.stop());
  const backups = isInDatabase ? null : startDailyBackup(context);
  if (backups !== null) {
    closing.defer(() => backups.stop());
    const conversion = startConversion(context, troubles);
    closing.defer(() => conversion.stop());
  }
  const usg = await openUsgScreening(context, {
    packFolders,
    wantedPack: (await getSetting(db, activePacksSetting))["usg"] ?? null,
  });
  closing.defer(() => usg.close());

  const desktop = await openDesktop(
    context,
    {
      ...options,
      packFolders,
      usg,
      serverUrl: () => listening.url,
      authorityFile: credentials.authorityPath,
      authorityRenewal: () => inUse.renewal,
      faults: faults.list,
      recentRequests: () => app.recentRequests,
      isBackingUp: () => backups?.isUnderWay() ?? false,
      onReceiver: (fault) => announceReceiver(troubles, fault),
    },
    events,
  );
  closing.defer(() => desktop.close());
  closing.defer(() => void (adoptOrphanedWork = () => Promise.resolve()));
  adoptOrphanedWork = async () => {
    desktop.reloadPublishers();
    const { queue } = desktop.parts;
    const tried = async (work: Promise<unknown>, otherwise: string) =>
      await work.catch((error: unknown) => log.warn({ error }, otherwise));
    await tried(forgetRevoked(context), "keys that were revoked elsewhere are still cached");
    await tried(queue.takeOver(), "films of stopped workstations were not taken over");
    await tried(desktop.rememberSettings(), "the settings for an outage of the database are out of date");
  };
  let signInPath = () => "/";
  const page: RouteGroup = async (server) => {
    ({ signInPath } = await registerDesktopRoutes(server, desktop));
  };
  const configuredHosts = await getSetting(db, hostNamesSetting);
  const app = buildServer(context, {
    credentials,
    configuredHosts,
    isPlainHttpAllowed: await getSetting(db, plainHttpSetting),
    routeGroups: [usgRoutes(usg), page],
  });
  const { takesFreePort = false } = options;
  const cleanup = await startCallCleanup(context);
  closing.defer(() => cleanup.stop());
  await loaded;
  const listening = await listen(app, { port: options.port, takesFreePort });
  if (options.port !== 0 && listening.port !== options.port)
    troubles.raise("PORT_TAKEN", because("portTaken", { port: String(options.port), url: listening.url }));
  closing.defer(() => listening.close());
  const renewal = startCertificateRenewal(context, configuredHosts, (renewed) => {
    listening.useCertificates(renewed);
    noteCertificates(renewed);
  });
  closing.defer(() => renewal.stop());

  const { url, port } = listening;
  lock.announce({ url, port, pid: process.pid, authority: credentials.authorityPath });
  await desktop.start();
  if (isInDatabase) {
    await desktop.rememberSettings();
    const database = startDatabaseWatch(context, troubles, desktop.setDatabaseAway, options.pollMs);
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

/** Raises a trouble while an enabled DICOM receiver does not listen; null clears it. */
function announceReceiver(troubles: Pick<Troubles, "raise" | "clear">, fault: ReceiverFault | null): void {
  if (fault === null) troubles.clear("RECEIVER_SILENT");
  else troubles.raise("RECEIVER_SILENT", `DICOM objects are not received (${fault}).`);
}
