import { because } from "../../core/app-error.ts";
import { collectBuffers } from "../collect-garbage.ts";
import { createDicomReader } from "../dicom/dicom-reader.ts";
import type { Engine } from "../inference/engine.ts";
import type { InstanceLock } from "../instance-lock.ts";
import type { Desktop } from "../ipc/desktop.ts";
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
import { createTroubles, type Troubles } from "../services/program/troubles.ts";
import { startDatabaseWatch } from "../services/program/watches/database-watch.ts";
import type { WritableDb } from "../store/database.ts";
import { activePacksSetting, getSetting, hostNamesSetting, plainHttpSetting } from "../store/settings.ts";
import { startCallCleanup } from "./call-cleanup.ts";
import { startCertificateRenewal } from "./certificate-renewal.ts";
import type { Corvet, CorvetOptions } from "./corvet.ts";
import { createEvents } from "./events.ts";
import { createFaults } from "./faults.ts";
import { openDesktop } from "./open-desktop.ts";
import { startWatches } from "./start-watches.ts";
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

type Options = CorvetOptions & { readonly now: () => Date };

/** Starts everything around store and networks, listens, and writes `server.json`. */
export async function openServices(
  options: Options,
  opened: Opened,
  closing: AsyncDisposableStack,
): Promise<Omit<Corvet, "close">> {
  const { lock, db, packFolders, credentials } = opened;
  const events = createEvents(options.log);
  const faults = createFaults(events.pages, options);
  const troubles = createTroubles({ log: options.log, reportFault: faults.report }, events.domain.raise);
  const context = createContext(options, opened, { reportFault: faults.report, troubles: troubles.list }, closing);
  let inUse = credentials;
  const noteCertificates = (renewed: TlsCredentials): void => {
    inUse = renewed;
    announceRenewal(context, troubles, renewed);
  };
  noteCertificates(credentials);
  let adoptOrphanedWork = () => Promise.resolve();
  const { isInDatabase, isBackingUp } = await startWatches(
    context,
    troubles,
    options,
    () => adoptOrphanedWork(),
    closing,
  );
  const wantedPack = (await getSetting(db, activePacksSetting))["usg"] ?? null;
  const usg = await openUsgScreening(context, { packFolders, wantedPack });
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
      isBackingUp,
      onReceiver: (fault) => announceReceiver(troubles, fault),
    },
    events,
  );
  closing.defer(() => desktop.close());
  closing.defer(() => void (adoptOrphanedWork = () => Promise.resolve()));
  adoptOrphanedWork = () => adoptWork(context, desktop);
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
  const cleanup = await startCallCleanup(context);
  closing.defer(() => cleanup.stop());
  await opened.loaded;
  const listening = await listenOn(app, options, troubles);
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
  const { authorityPath: authorityFile } = credentials;
  return { context, desktop, url, port, authorityFile, pageUrl: () => `${url}${signInPath()}` };
}

/** The context of all services, with the threads that read DICOM files and print. */
function createContext(
  { dataDir, log, now }: Options,
  { db, engine }: Opened,
  reports: Pick<ServiceContext, "reportFault" | "troubles">,
  closing: AsyncDisposableStack,
): ServiceContext {
  const dicom = createDicomReader();
  closing.defer(() => dicom.close());
  const handouts = createHandoutPrinter();
  closing.defer(() => handouts.close());
  closing.defer(collectBuffers());
  return {
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
    ...reports,
    programVersion,
    dataDir,
  };
}

/** Adopts what other workstations have changed, and the films of those that stopped. */
async function adoptWork(context: ServiceContext, desktop: Desktop): Promise<void> {
  desktop.reloadPublishers();
  const tried = async (work: Promise<unknown>, otherwise: string) =>
    await work.catch((error: unknown) => context.log.warn({ error }, otherwise));
  await tried(forgetRevoked(context), "keys that were revoked elsewhere are still cached");
  await tried(desktop.parts.queue.takeOver(), "films of stopped workstations were not taken over");
  await tried(desktop.rememberSettings(), "the settings for an outage of the database are out of date");
}

async function listenOn(app: Parameters<typeof listen>[0], options: Options, troubles: Troubles) {
  const { port, takesFreePort = false } = options;
  const listening = await listen(app, { port, takesFreePort });
  if (port !== 0 && listening.port !== port)
    troubles.raise("PORT_TAKEN", because("portTaken", { port: String(port), url: listening.url }));
  return listening;
}

/** Raises a trouble while an enabled DICOM receiver does not listen; null clears it. */
function announceReceiver(troubles: Pick<Troubles, "raise" | "clear">, fault: ReceiverFault | null): void {
  if (fault === null) troubles.clear("RECEIVER_SILENT");
  else troubles.raise("RECEIVER_SILENT", `DICOM objects are not received (${fault}).`);
}
