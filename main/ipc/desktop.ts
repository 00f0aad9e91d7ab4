import { findChannel, type DesktopAnswer, type DesktopEvent } from "../../core/contract/desktop.ts";
import { forgetCaller } from "../services/calls/callers.ts";
import { publishCalls } from "../services/desktop/call-news.ts";
import { createCaptureSessions } from "../services/worklist/capture.ts";
import type { Fault, ServiceContext } from "../services/measuring/service-context.ts";
import type { DesktopContext } from "../services/desktop/desktop-context.ts";
import { createDicomReceive } from "../services/network/dicom-receive.ts";
import { createPacs } from "../services/network/pacs.ts";
import { createRunningJobs } from "../services/network/running-jobs.ts";
import { createMllpSender } from "../services/practice/mllp/mllp-sender.ts";
import { createWatchedFolders } from "../services/practice/watched-folders.ts";
import { createOpenings } from "../services/practice/openings.ts";
import { createDicomSend } from "../services/network/dicom-send.ts";
import { deleteAbandoned, deleteAbandonedExports, deleteOldExports } from "../services/desktop/exports.ts";
import { deleteOldDrafts } from "../services/results/mail-draft.ts";
import { createOpenFilms } from "../services/worklist/open-films.ts";
import { createFilmQueue } from "../services/worklist/film-queue.ts";
import { applyImageRetention, deleteImages, listOutdated } from "../services/worklist/image-retention.ts";
import { openPaths } from "../services/import/opened-paths.ts";
import { openSecrets } from "../services/desktop/secrets.ts";
import { reloadPublishers } from "../services/program/packs.ts";
import { createPageBackups } from "../services/program/backups/page-backups.ts";
import { agreementHandlers } from "./handlers/agreement.ts";
import { createCallsUnderWay } from "./calls-under-way.ts";
import { annotationHandlers } from "./handlers/annotations.ts";
import { backupHandlers } from "./handlers/backups.ts";
import { captureHandlers } from "./handlers/capture.ts";
import { dicomHandlers } from "./handlers/network/dicom.ts";
import { isUnfinished } from "../dicom/network/receiving/unfinished-object.ts";
import { engineOf } from "../store/engines/engine.ts";
import { receivedDir } from "../store/store-files.ts";
import { createEventHub } from "./event-hub.ts";
import { createOtherMachines } from "./other-machines.ts";
import { createTemporaryDesktop } from "./temporary-desktop.ts";
import { filmHandlers } from "./handlers/films.ts";
import { createHandle } from "./handle.ts";
import type { DesktopOptions, DesktopParts } from "./handlers.ts";
import { ledgerHandlers } from "./handlers/ledger.ts";
import { peopleHandlers } from "./handlers/people.ts";
import { createPersonSessions } from "../services/people/person-sessions.ts";
import { createOpenPages } from "./page/open-pages.ts";
import { createPageSessions, type PageSessions } from "./page/page-sessions.ts";
import { patientHandlers } from "./handlers/patients.ts";
import { practiceHandlers } from "./handlers/practice.ts";
import { programHandlers } from "./handlers/program.ts";
import { receivedHandlers } from "./handlers/network/received.ts";
import { reportHandlers } from "./handlers/reports.ts";
import { releaseFeed, releaseKeys } from "../services/updates/release-origin.ts";
import { createUpdates } from "../services/updates/updates.ts";
import { sampleHandlers } from "./handlers/sample.ts";
import { updateHandlers } from "./handlers/updates.ts";
import { usgHandlers } from "./handlers/usg.ts";

/** Faults kept for a page that opens later. */
const faultsKept = 100;
/** How often images are looked at whose time to be kept is over [ms]. */
const retentionEveryMs = 60 * 60 * 1000;

/** The desktop program without a window: what both transports talk to. */
export type Desktop = {
  readonly context: DesktopContext;
  readonly parts: DesktopParts;
  readonly pageSessions: PageSessions;
  /** Carries out a call of a page. The transport has checked that it is one, and says which. */
  call(channel: string, request: unknown, session: string): Promise<DesktopAnswer<unknown>>;
  /** @returns a function that ends the subscription */
  subscribe(listener: (event: DesktopEvent) => void): () => void;
  /** The same for a page: where people sign in and nobody has, it hears only that this changes. */
  subscribePage(session: string, listener: (event: DesktopEvent) => void): () => void;
  /**
   * The services for a page's request: those of the store, or of a temporary one while the practice's database is away.
   * Read once for each request, which ends on the store on which it began.
   */
  current(): DesktopParts;
  /** Reads the settings and users with which pages work while the practice's database is away. */
  rememberSettings(): Promise<void>;
  /** The practice's database does not answer, or does again. */
  setDatabaseAway(isAway: boolean): Promise<void>;
  /** Whether a page or the window listens. */
  hasPage(): boolean;
  /** Opens files and folders of this machine: from the native dialog, a drop on the icon, or the command line. */
  openPaths(paths: readonly string[]): Promise<void>;
  /** Has packs read again if the publishers were changed; films that are measured first are not waited for. */
  reloadPublishers(): void;
  /** Shows the user a fault that work went on after. */
  reportFault(fault: Fault): void;
  /** Goes on with the films that wait. */
  start(): Promise<void>;
  /** Stops; a film under way waits again at the next start. */
  close(): Promise<void>;
};

/** Opens the desktop's services on a store that is open. Nothing runs before `start`. */
export async function openDesktop(service: ServiceContext, options: DesktopOptions): Promise<Desktop> {
  const events = createEventHub(service.log);
  /** For the pages of this program. */
  const publishHere = (event: DesktopEvent) => {
    events.publish(event);
    if (event.name === "session.changed") reviewOpenFilms();
  };
  /** What happens at another machine reaches the pages alone: that one sends its results itself. */
  const publishToAll = (event: DesktopEvent) => {
    publishHere(event);
    if (event.name === "film.changed") mllp.note(event.payload.film);
    others.pass(event);
  };
  const context: DesktopContext = {
    ...service,
    publish: publishToAll,
    secrets: openSecrets(service.dataDir, options.sealer ?? null),
  };
  const faults: Fault[] = [];
  const queue = await createFilmQueue(context);
  const receive = createDicomReceive(context, () => queue.wake(), options.onReceiver ?? (() => undefined));
  const send = createDicomSend(context, receive.commitments);
  const jobs = createRunningJobs();
  const pacs = createPacs(context, receive, jobs);
  const folders = createWatchedFolders(context, () => queue.wake());
  const openings = createOpenings(context, () => queue.wake());
  const mllp = createMllpSender(context);
  const practice = { ...context, publish: events.publish };
  const others = createOtherMachines(practice);
  const endNews = publishCalls(context, options.usg);
  const openFilms = createOpenFilms(context);
  const backups = createPageBackups(context);
  let hearing = Promise.resolve();
  const hearOfPublishers = () => {
    hearing = reloadPublishers(practice, options).catch((error: unknown) =>
      service.log.warn({ error }, "packs keep their former publishers"),
    );
  };
  events.subscribe(({ name, payload }) => {
    if (name === "keys.revoked") forgetCaller(service.db, payload.keyId);
    if (name === "publishers.changed" || name === "events.missed") hearOfPublishers();
  });
  const pageSessions = createPageSessions(context);
  const sessions = createPersonSessions(context, () => current().context.db);
  let longCalls = 0;
  const updates = createUpdates(
    context,
    options.updateHost ?? null,
    options.updateOrigin ?? { keys: releaseKeys, feed: releaseFeed },
    () => service.queue.size + longCalls + (options.isBackingUp?.() ? 1 : 0),
  );
  const parts: DesktopParts = {
    context,
    options,
    queue,
    receive,
    send,
    pacs,
    jobs,
    folders,
    mllp,
    openings,
    backups,
    database: engineOf(context.db).place,
    updates,
    captures: createCaptureSessions(context),
    openFilms,
    faults: () => faults,
    sessions,
    pageSessions,
  };
  const temporary = createTemporaryDesktop(parts, handlersOf, publishHere);
  const current = () => temporary.parts() ?? parts;
  const calls = createCallsUnderWay(createHandle(await handlersOf(parts), sessions, context.log));
  const reviewOpenFilms = () => void openFilms.review(openPages.isShown);
  const openPages = createOpenPages(events, pageSessions, sessions, reviewOpenFilms);
  let tidying = Promise.resolve();
  const tidy = (work: () => Promise<void>) => {
    tidying = tidying
      .then(work)
      .catch((error: unknown) => service.log.error({ error }, "files whose time is over could not be deleted"));
  };
  const applyRetention = async () => applyImageRetention(context, false, await folders.findUnwritten());
  const retention = setInterval(() => {
    tidy(applyRetention);
    tidy(() => deleteOldDrafts(context.dataDir));
    tidy(() => deleteAbandonedExports(context.dataDir));
    tidy(() => deleteAbandoned(receivedDir(context.dataDir), isUnfinished));
  }, retentionEveryMs);
  retention.unref();
  return {
    context,
    parts,
    pageSessions,
    async call(channel, request, session) {
      if (temporary.parts()) return await temporary.call(channel, request, session);
      const isLong = findChannel(channel)?.isLong === true;
      if (isLong) longCalls += 1;
      try {
        return await calls.call(channel, request, session);
      } finally {
        if (isLong) longCalls -= 1;
      }
    },
    subscribe: events.subscribe,
    subscribePage: openPages.subscribe,
    current,
    rememberSettings: temporary.rememberSettings,
    async setDatabaseAway(isAway) {
      receive.refuseObjects(isAway);
      await temporary.setAway(isAway);
    },
    hasPage: openPages.has,
    async openPaths(paths) {
      const now = current();
      await openPaths(now.context, paths, () => now.queue.wake());
    },
    reloadPublishers: hearOfPublishers,
    reportFault(fault) {
      faults.unshift(fault);
      faults.splice(faultsKept);
      events.publish({ name: "fault", payload: { fault } });
    },
    async start() {
      deleteOldExports(context.dataDir);
      // Chosen before the queue begins to measure those that wait.
      const outdated = await listOutdated(context, true, await folders.findUnwritten());
      tidy(() => deleteImages(context, outdated));
      await others.start();
      queue.wake();
      await receive.start();
      folders.start();
      await mllp.start();
      updates.start();
    },
    async close() {
      clearInterval(retention);
      // From the last to the first, each of them whatever went wrong with another.
      await using closing = new AsyncDisposableStack();
      closing.defer(() => pageSessions.close());
      closing.defer(() => hearing);
      closing.defer(() => others.close());
      closing.defer(endNews);
      closing.defer(() => openFilms.close());
      closing.defer(() => calls.finish());
      closing.defer(() => temporary.close());
      closing.defer(() => queue.close());
      closing.defer(() => backups.close());
      closing.defer(() => receive.close());
      closing.defer(() => send.close());
      closing.defer(() => jobs.close());
      closing.defer(() => mllp.close());
      closing.defer(() => folders.close());
      closing.defer(() => tidying);
      closing.defer(() => updates.close());
    },
  };
}

async function handlersOf(parts: DesktopParts) {
  return {
    ...filmHandlers(parts),
    ...annotationHandlers(parts),
    ...patientHandlers(parts),
    ...agreementHandlers(parts),
    ...usgHandlers(parts),
    ...captureHandlers(parts),
    ...ledgerHandlers(parts),
    ...dicomHandlers(parts),
    ...practiceHandlers(parts),
    ...receivedHandlers(parts),
    ...(await programHandlers(parts)),
    ...backupHandlers(parts),
    ...reportHandlers(parts),
    ...peopleHandlers(parts),
    ...sampleHandlers(parts),
    ...updateHandlers(parts),
  };
}
