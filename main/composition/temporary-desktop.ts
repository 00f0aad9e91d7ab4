import { findChannel, type DesktopChannel } from "../../core/contract/desktop.ts";
import type { DesktopEvent } from "../../core/contract/desktop/events.ts";
import { AppError, because, failureOf } from "../../core/app-error.ts";
import type { DomainEvent } from "../services/domain-events.ts";
import { createOpenings } from "../services/practice/openings.ts";
import { createCaptureSessions } from "../services/worklist/capture.ts";
import { createFilmQueue, isFilmQueued } from "../services/worklist/film-queue.ts";
import { openTemporaryStore, readKnownRows, type KnownRows } from "../store/opening/temporary-store.ts";
import { createCallsUnderWay, type CallsUnderWay } from "../ipc/calls-under-way.ts";
import { createHandle, type Handle } from "../ipc/handle.ts";
import type { DesktopParts, Handlers } from "../ipc/handlers.ts";

/** Services on a temporary store, which pages use while the practice's database is unavailable. */
export type TemporaryDesktop = {
  /** Services of the temporary store; null while the database is available. */
  parts(): DesktopParts | null;
  readonly call: Handle;
  /** Reads the settings and users to use during the next outage. */
  rememberSettings(): Promise<void>;
  setAway(isAway: boolean): Promise<void>;
  close(): Promise<void>;
};

type Current = { readonly parts: DesktopParts; readonly calls: CallsUnderWay };

/**
 * @param usual    services on the practice's database; shared unless they process films of pages
 * @param publish  receives all events, domain events included, for the pages of this program
 */
export function createTemporaryDesktop(
  usual: DesktopParts,
  handlersOf: (parts: DesktopParts) => Promise<Handlers<DesktopChannel>>,
  publish: (event: DesktopEvent) => void,
): TemporaryDesktop {
  const { context: practice, sessions } = usual;
  let known: KnownRows | null = null;
  let current: Current | null = null;
  let dropping = Promise.resolve();
  const loadSettings = async () => {
    known = await readKnownRows(practice.db);
  };
  const open = async (): Promise<Current> => {
    if (known === null) throw new Error("the settings were never read");
    const db = await openTemporaryStore(known);
    const publishWhileCurrent = (event: DesktopEvent) => {
      if (current?.parts.context.db === db) publish(event);
    };
    const raise = (event: DomainEvent) => {
      publishWhileCurrent(event);
      if (isFilmQueued(event)) queue.wake();
    };
    const context = { ...practice, db, publish: publishWhileCurrent, raise };
    const queue = await createFilmQueue(context);
    const [captures, openings] = [createCaptureSessions(context), createOpenings(context)];
    const parts = { ...usual, context, queue, captures, openings };
    return { parts, calls: createCallsUnderWay(createHandle(await handlersOf(parts), sessions, practice.log)) };
  };
  const drop = async ({ parts, calls }: Current) => {
    await parts.queue.close();
    await calls.finish();
    await parts.context.db.destroy();
  };
  const setAway = async (isAway: boolean) => {
    if (isAway) {
      current ??= await open();
      return;
    }
    // Running calls finish on the store on which they began.
    if (current) dropping = drop(current);
    current = null;
  };
  return {
    parts: () => current?.parts ?? null,
    async call(channel, request, session) {
      if (!current || !findChannel(channel)?.isAvailableWithoutDatabase)
        return { ok: false, ...failureOf(databaseAway()) };
      return await current.calls.call(channel, request, session);
    },
    rememberSettings: loadSettings,
    setAway,
    async close() {
      await setAway(false);
      await dropping;
    },
  };
}

function databaseAway(): AppError {
  return new AppError("STORE_UNAVAILABLE", because("databaseAway"));
}
