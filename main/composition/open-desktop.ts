import { allHandlers } from "../ipc/all-handlers.ts";
import { createCallsUnderWay } from "../ipc/calls-under-way.ts";
import type { Desktop } from "../ipc/desktop.ts";
import { createHandle } from "../ipc/handle.ts";
import type { DesktopOptions } from "../ipc/handlers.ts";
import { createOpenPages } from "../ipc/page/open-pages.ts";
import { importPaths } from "../services/import/opened-paths.ts";
import type { ServiceContext } from "../services/measuring/service-context.ts";
import type { Events } from "./events.ts";
import { createDesktopServices, type DesktopServices } from "./desktop-services.ts";
import { createTemporaryDesktop } from "./temporary-desktop.ts";
import { isUnfinished } from "../dicom/network/receiving/unfinished-object.ts";
import type { DesktopContext } from "../services/desktop/desktop-context.ts";
import { deleteAbandoned, deleteAbandonedExports, deleteOldExports } from "../services/desktop/exports.ts";
import type { WatchedFolders } from "../services/practice/watched-folders.ts";
import { applyImageRetention, deleteImages, selectOutdated } from "../services/worklist/image-retention.ts";
import { receivedDir } from "../store/files/store-files.ts";

export async function openDesktop(service: ServiceContext, options: DesktopOptions, events: Events): Promise<Desktop> {
  const services = await createDesktopServices(service, options, events, {
    currentDb: () => current().context.db,
    reviewOpenFilms: () => reviewOpenFilms(),
    longCalls: () => calls.longCalls(),
  });
  const { parts, publishers } = services;
  const { context, sessions, pageSessions } = parts;
  const temporary = createTemporaryDesktop(parts, allHandlers, events.pages.publish);
  const current = () => temporary.parts() ?? parts;
  const calls = createCallsUnderWay(createHandle(await allHandlers(parts), sessions, context.log));
  const reviewOpenFilms = () => void parts.openFilms.review(openPages.isShown);
  const openPages = createOpenPages(events.pages, pageSessions, sessions, reviewOpenFilms);
  const retention = createRetention(context, parts.folders);
  return {
    context,
    parts,
    pageSessions,
    call: (channel, request, session) => (temporary.parts() ? temporary : calls).call(channel, request, session),
    subscribe: events.pages.subscribe,
    subscribePage: openPages.subscribe,
    current,
    rememberSettings: temporary.rememberSettings,
    async setDatabaseAway(isAway) {
      parts.receive.refuseObjects(isAway);
      await temporary.setAway(isAway);
    },
    hasPage: openPages.has,
    openPaths: (paths) => importPaths(current().context, paths),
    reloadPublishers: publishers.reload,
    async start() {
      await retention.start();
      await startServices(services);
    },
    async close() {
      retention.stop();
      await closeServices(services, retention, [() => calls.finish(), () => temporary.close()]);
    },
  };
}

async function startServices({ others, parts }: DesktopServices): Promise<void> {
  await others.start();
  parts.queue.wake();
  await parts.receive.start();
  parts.folders.start();
  await parts.mllp.start();
  parts.updates.start();
}

/** Closes the services in reverse order; if one fails, the others are closed nevertheless. */
async function closeServices(
  { parts, publishers, others, endCallEvents }: DesktopServices,
  retention: { close(): Promise<void> },
  pageCalls: readonly (() => Promise<void>)[],
): Promise<void> {
  await using closing = new AsyncDisposableStack();
  closing.defer(() => parts.pageSessions.close());
  closing.defer(() => publishers.close());
  closing.defer(() => others.close());
  closing.defer(endCallEvents);
  closing.defer(() => parts.openFilms.close());
  for (const finish of pageCalls) closing.defer(finish);
  closing.defer(() => parts.queue.close());
  closing.defer(() => parts.receive.close());
  closing.defer(() => parts.jobs.close());
  closing.defer(() => parts.mllp.close());
  closing.defer(() => parts.folders.close());
  closing.defer(() => retention.close());
  closing.defer(() => parts.updates.close());
}

const retentionEveryMs = 60 * 60 * 1000;

/** Deletes outdated images, exports and received files: at the start and every hour, in sequence. */
function createRetention(context: DesktopContext, folders: WatchedFolders) {
  let tidying = Promise.resolve();
  const tidy = (work: () => Promise<void>) => {
    tidying = tidying
      .then(work)
      .catch((error: unknown) => context.log.error({ error }, "outdated files could not be deleted"));
  };
  const applyRetention = async () => applyImageRetention(context, false, await folders.listUnwritten());
  const retention = setInterval(() => {
    tidy(applyRetention);
    tidy(() => deleteAbandonedExports(context.dataDir));
    tidy(() => deleteAbandoned(receivedDir(context.dataDir), isUnfinished));
  }, retentionEveryMs);
  retention.unref();
  return {
    /** Selects outdated images and deletes them in the background. Await it before the queue measures pending films. */
    async start() {
      deleteOldExports(context.dataDir);
      const outdated = await selectOutdated(context, true, await folders.listUnwritten());
      tidy(() => deleteImages(context, outdated));
    },
    stop: () => clearInterval(retention),
    close: () => tidying,
  };
}
