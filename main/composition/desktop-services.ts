import { AsyncLocalStorage } from "node:async_hooks";
import type { DesktopOptions, DesktopParts } from "../ipc/handlers.ts";
import { createPageSessions } from "../ipc/page/page-sessions.ts";
import { forgetCaller } from "../services/calls/callers.ts";
import { raiseCallEvents } from "../services/desktop/call-events.ts";
import type { DesktopContext } from "../services/desktop/desktop-context.ts";
import { openSecrets } from "../services/desktop/secrets.ts";
import type { ServiceContext } from "../services/measuring/service-context.ts";
import { createDicomReceive } from "../services/network/dicom-receive.ts";
import { createDicomSend } from "../services/network/dicom-send.ts";
import { createPacs } from "../services/network/pacs.ts";
import { createRunningJobs } from "../services/desktop/running-jobs.ts";
import { createPersonSessions } from "../services/people/person-sessions.ts";
import { createMllpSender } from "../services/practice/mllp/mllp-sender.ts";
import { createOpenings } from "../services/practice/openings.ts";
import { createWatchedFolders } from "../services/practice/watched-folders.ts";
import { createBackupMaking } from "../services/program/backups/page-backups.ts";
import { releaseFeed, releaseKeys } from "../services/updates/release-origin.ts";
import { createUpdates } from "../services/updates/updates.ts";
import { createCaptureSessions } from "../services/worklist/capture.ts";
import { createDecodedFilm } from "../services/measuring/decoded-film.ts";
import { createFilmQueue, isFilmQueued } from "../services/worklist/film-queue.ts";
import { createOpenFilms } from "../services/worklist/open-films.ts";
import type { DomainEvent, Origin } from "../services/domain-events.ts";
import type { WritableDb } from "../store/database.ts";
import { engineOf } from "../store/engines/engine.ts";
import type { Events } from "./events.ts";
import { createOtherMachines } from "./other-machines.ts";
import { reloadPublishers } from "../services/program/packs.ts";

type LaterParts = {
  currentDb(): WritableDb;
  reviewOpenFilms(): void;
  longCalls(): number;
};

export type DesktopServices = Awaited<ReturnType<typeof createDesktopServices>>;

export async function createDesktopServices(
  service: ServiceContext,
  options: DesktopOptions,
  { domain, pages }: Events,
  later: LaterParts,
) {
  const secrets = openSecrets(service.dataDir, options.sealer ?? null);
  const context: DesktopContext = {
    ...service,
    raise: domain.raise,
    publish: pages.publish,
    secrets,
    decodedFilm: createDecodedFilm(),
  };
  const queue = await createFilmQueue(context);
  const network = createNetwork(context, options);
  const practice = createPracticeLinks(context, options);
  const others = createOtherMachines(context);
  const endCallEvents = raiseCallEvents(context, options.usg);
  const openFilms = createOpenFilms(context);
  const publishers = createPublisherReload(context, options);
  domain.subscribe((event, origin) => {
    // Another workstation sends its results itself, and its own events.
    if (origin === "elsewhere") return;
    if (event.name === "film.changed") practice.mllp.note(event.payload.film);
    others.send(event);
  });
  const react = (event: DomainEvent, origin: Origin) => {
    const { name, payload } = event;
    // Another workstation measures its films itself.
    if (origin === "here" && isFilmQueued(event)) queue.wake();
    if (name === "session.changed") later.reviewOpenFilms();
    if (name === "keys.revoked") forgetCaller(service, payload.keyId);
    if (name === "publishers.changed" || name === "events.missed") publishers.reload();
    // A full disk may have stopped pending films.
    if (name === "troubles.changed" && payload.troubles.length === 0) queue.wake();
  };
  // Outside the async context of `raise`, whose transaction and acting user do not apply to the reactions.
  const apart = AsyncLocalStorage.snapshot();
  domain.subscribe((event, origin) => apart(react, event, origin));
  const parts: DesktopParts = {
    context,
    options,
    queue,
    ...network,
    ...practice,
    makeBackup: createBackupMaking(context, network.jobs),
    database: engineOf(context.db).place,
    pageSessions: createPageSessions(context),
    sessions: createPersonSessions(context, later.currentDb),
    updates: createUpdatesOf(context, options, later),
    captures: createCaptureSessions(context),
    openFilms,
  };
  return { parts, others, publishers, endCallEvents };
}

function createNetwork(context: DesktopContext, options: DesktopOptions) {
  const receive = createDicomReceive(context, options.onReceiver ?? (() => undefined));
  const jobs = createRunningJobs();
  const send = createDicomSend(context, receive.commitments, jobs);
  return { receive, send, jobs, pacs: createPacs(context, receive, jobs) };
}

function createPracticeLinks(context: DesktopContext, { pollMs }: DesktopOptions) {
  return {
    folders: createWatchedFolders(context, { everyMs: pollMs }),
    openings: createOpenings(context),
    mllp: createMllpSender(context),
  };
}

/** Creates the updates, which are not installed while films are measured, long calls run or a backup is made. */
function createUpdatesOf(context: DesktopContext, options: DesktopOptions, { longCalls }: LaterParts) {
  return createUpdates(
    context,
    options.updateHost ?? null,
    options.updateOrigin ?? { keys: releaseKeys, feed: releaseFeed },
    () => context.queue.size + longCalls() + (options.isBackingUp?.() ? 1 : 0),
  );
}

/** Reloads packs in the background after the publishers changed. `close` waits for a running reload. */
function createPublisherReload(context: DesktopContext, options: DesktopOptions) {
  let reloading = Promise.resolve();
  return {
    reload() {
      reloading = reloadPublishers(context, options).catch((error: unknown) =>
        context.log.warn({ error }, "packs keep their former publishers"),
      );
    },
    close: () => reloading,
  };
}
