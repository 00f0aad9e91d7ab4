import { readdirSync } from "node:fs";
import { z } from "zod";
import { AppError, because, failureOf } from "../../../core/app-error.ts";
import type { UpdateState } from "../../../core/contract/desktop/updates.ts";
import { installerFor, type InstallerTarget, type ReleaseStatement } from "../../../core/updates/release-statement.ts";
import { decideUpdate, type Moment } from "../../../core/updates/update-decision.ts";
import { compareVersions } from "../../../core/updates/version.ts";
import { migrationsDir } from "../../store/migrations.ts";
import { changeSetting, getSetting, type Setting } from "../../store/settings.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { fetchStatement } from "./fetch-statement.ts";
import { openRelease } from "./signed-release.ts";
import { openUpdateFile } from "./update-file.ts";
import type { UpdateHost } from "./update-host.ts";

const dayMs = 24 * 60 * 60 * 1000;
/** The first look waits until the program has done what it was started for [ms]. */
const firstLookAfterMs = 2 * 60 * 1000;

type UpdateSettings = {
  readonly isAutomatic: boolean;
  readonly mirror: string;
  readonly laterUntilMs: number | null;
  /** Where this installation stands among all, 0–1; drawn once and told nobody. */
  readonly place: number | null;
};

const updatesSetting: Setting<UpdateSettings> = {
  key: "updates",
  isOfMachine: true,
  schema: z.object({
    isAutomatic: z.boolean(),
    mirror: z.string(),
    laterUntilMs: z.number().nullable(),
    place: z.number().nullable(),
  }),
  fallback: { isAutomatic: true, mirror: "", laterUntilMs: null, place: null },
  audit: "settings.changed",
  unaudited: ["laterUntilMs", "place"],
};

/** What this program trusts and where it looks. */
export type UpdateOrigin = { readonly keys: readonly string[]; readonly feed: string | null };

/** Finds, checks and fetches releases, and says when one is installed. */
export type Updates = {
  get(): Promise<UpdateState>;
  configure(change: Pick<UpdateSettings, "isAutomatic" | "mirror">): Promise<UpdateState>;
  /** Looks for a newer release and fetches it; what goes wrong stands in the answer. */
  check(isAsked: boolean): Promise<UpdateState>;
  openFile(): Promise<UpdateState>;
  later(): Promise<UpdateState>;
  install(isUnsaved: boolean): Promise<UpdateState>;
  /** Whether the release that lies ready is installed when the program ends by itself. */
  takesAtQuit(): Promise<boolean>;
  /** Looks by itself from now on, once a day. */
  start(): void;
  close(): Promise<void>;
};

/**
 * @param host      what only a desktop has; null for the service
 * @param underWay  films, transfers and backups that nobody may interrupt
 */
export function createUpdates(
  context: DesktopContext,
  host: UpdateHost | null,
  { keys, feed }: UpdateOrigin,
  underWay: () => number,
): Updates {
  const { db, now, log } = context;
  let shown: Pick<UpdateState, "phase" | "fetched" | "release" | "outcome" | "checkedAt"> = {
    phase: "idle",
    fetched: 0,
    release: null,
    outcome: null,
    checkedAt: null,
  };
  let ready: ReleaseStatement | null = null;
  let working: Promise<unknown> = Promise.resolve();
  let timers: readonly NodeJS.Timeout[] = [];

  const logFault = (error: unknown) => log.error({ error }, "updates could not be looked after");
  const settings = () => getSetting(db, updatesSetting);
  const save = (change: Partial<UpdateSettings>) =>
    changeSetting(db, updatesSetting, (before) => ({ ...before, ...change }));
  const get = async (): Promise<UpdateState> => {
    const { isAutomatic, mirror, laterUntilMs } = await settings();
    const isPutOff = laterUntilMs !== null && laterUntilMs > now().getTime();
    return {
      ...shown,
      currentVersion: context.programVersion,
      whyNot: host === null ? "service" : host.target === null ? "not_installed" : keys.length === 0 ? "no_key" : null,
      isAutomatic,
      feed: mirror || feed,
      mirror,
      laterUntil: isPutOff ? new Date(laterUntilMs).toISOString() : null,
    };
  };
  const show = async (change: Partial<typeof shown>): Promise<UpdateState> => {
    shown = { ...shown, ...change };
    const state = await get();
    context.publish({ name: "updates.changed", payload: { state } });
    return state;
  };
  const moment = async (isAsked: boolean, isUnsaved: boolean): Promise<Moment> => ({
    currentVersion: context.programVersion,
    place: (await settings()).place ?? (await save({ place: Math.random() })).place ?? 1,
    isAsked,
    laterUntilMs: (await settings()).laterUntilMs,
    nowMs: now().getTime(),
    underWay: underWay(),
    isUnsaved,
    storeMigrations: knownMigrations(),
  });
  const decide = async (release: ReleaseStatement, isAsked: boolean, isUnsaved = false) => {
    const decision = decideUpdate(release, await moment(isAsked, isUnsaved));
    if (decision.kind === "refuse") throw refusal(decision.reason, release.version);
    return decision;
  };

  const fetchRelease = async (able: AbleHost, release: ReleaseStatement, address: string, isFromFile: boolean) => {
    const file = installerFor(release, able.target);
    if (!file) throw new AppError("UPDATE_REFUSED", because("updateForOthers"));
    ready = null;
    await show({ phase: "fetching", fetched: 0, release: null });
    let shownPercent = 0;
    await able.prepare(release.version, file, address, (fetched) => {
      if (Math.floor(fetched * 100) === shownPercent) return;
      shownPercent = Math.floor(fetched * 100);
      show({ fetched }).catch(logFault);
    });
    ready = release;
    const { version, releasedAt, changes, migrations } = release;
    const isOlder = compareVersions(version, context.programVersion) < 0;
    const migrates = migrations.length > knownMigrations().length;
    log.info({ version, isFromFile }, "a release lies ready");
    await show({
      phase: "ready",
      outcome: null,
      release: { version, releasedAt, changes, isOlder, migrates, isFromFile },
    });
  };
  /** One thing at a time; whatever goes wrong is shown, and what lay ready stays. */
  const alone = async (
    phase: "checking" | "fetching",
    work: (able: AbleHost) => Promise<void>,
  ): Promise<UpdateState> => {
    if (host === null) throw new AppError("NOT_AVAILABLE");
    if (shown.phase === "checking" || shown.phase === "fetching") return get();
    const before = shown;
    const task = (async () => {
      try {
        await show({ phase, outcome: null });
        if (keys.length === 0) throw new AppError("UPDATE_REFUSED", because("updateKeyMissing"));
        if (!isAble(host)) throw new AppError("UPDATE_REFUSED", because("updateNotInstalled"));
        await work(host);
      } catch (error) {
        const known = error instanceof AppError ? error : new AppError("UPDATE_FAILED", undefined, { cause: error });
        log.warn({ code: known.code, error }, "no update");
        const stays = ready === null ? ({ phase: "idle", release: null } as const) : before;
        await show({ ...before, ...stays, outcome: { kind: "failed", failure: failureOf(known) } });
      }
    })();
    working = task.catch(logFault);
    await task;
    return get();
  };
  const settle = (outcome: UpdateState["outcome"]) =>
    show({ phase: ready === null ? "idle" : "ready", outcome, checkedAt: now().toISOString() });

  return {
    get,
    async configure({ isAutomatic, mirror }) {
      if (mirror !== "" && !mirror.startsWith("https://"))
        throw new AppError("INVALID_FIELD", because("updateMirrorNotHttps"));
      await save({ isAutomatic, mirror });
      return show({});
    },
    check: (isAsked) =>
      alone("checking", async (able) => {
        const address = (await get()).feed;
        if (address === null) throw new AppError("UPDATE_REFUSED", because("updateNowhere"));
        const folder = address.endsWith("/") ? address : `${address}/`;
        const release = openRelease(await fetchStatement(able, folder), keys);
        // The web offers no way back: whoever holds the server could bring back old faults.
        if (compareVersions(release.version, context.programVersion) <= 0)
          return void (await settle({ kind: "current" }));
        const decision = await decide(release, isAsked);
        // What is under way hinders installing, not fetching.
        if (decision.kind === "wait" && decision.reason === "not_in_share") return void (await settle(decision));
        if (ready?.version === release.version) return void (await settle(null));
        await fetchRelease(able, release, folder, false);
        await settle(null);
      }),
    openFile: async () => {
      const file = await host?.chooseFile();
      if (!file) return get();
      return alone("fetching", async (able) => {
        const update = await openUpdateFile(file, keys, able.target);
        try {
          await decide(update.release, true);
          await fetchRelease(able, update.release, update.address, true);
        } finally {
          await update.close();
        }
      });
    },
    async later() {
      await save({ laterUntilMs: now().getTime() + dayMs });
      return show({});
    },
    async install(isUnsaved) {
      if (host === null) throw new AppError("NOT_AVAILABLE");
      if (ready === null) throw new AppError("UPDATE_REFUSED", because("updateNoneReady"));
      const decision = await decide(ready, true, isUnsaved);
      if (decision.kind === "wait") return show({ outcome: decision });
      log.info(
        { version: ready.version, isOlder: decision.isOlder, migrates: decision.migrates },
        "installs a release",
      );
      host.restart();
      return get();
    },
    async takesAtQuit() {
      if (ready === null || !(await settings()).isAutomatic) return false;
      return decideUpdate(ready, await moment(false, false)).kind === "install";
    },
    start() {
      if (host === null || keys.length === 0) return;
      const look = async () => {
        if ((await settings()).isAutomatic && (await get()).feed !== null) await this.check(false);
      };
      const lookOrLog = () => void look().catch(logFault);
      timers = [setTimeout(lookOrLog, firstLookAfterMs), setInterval(lookOrLog, dayMs)];
      for (const timer of timers) timer.unref();
    },
    async close() {
      for (const timer of timers) clearTimeout(timer);
      host?.stop();
      await working;
    },
  };
}

type AbleHost = UpdateHost & { readonly target: InstallerTarget };

function isAble(host: UpdateHost): host is AbleHost {
  return host.target !== null;
}

/** Names of the migrations that this program's stores have seen: all that it has. */
function knownMigrations(): string[] {
  return readdirSync(migrationsDir).filter((name) => name.endsWith(".sql"));
}

function refusal(reason: "no_version" | "same_version" | "older" | "store_too_new", version: string): AppError {
  switch (reason) {
    case "no_version":
      return new AppError("UPDATE_REFUSED", because("updateNotUnderstood"));
    case "same_version":
      return new AppError("UPDATE_REFUSED", because("updateSame", { version }));
    case "older":
      return new AppError("UPDATE_REFUSED", because("updateOlder", { version }));
    case "store_too_new":
      return new AppError("UPDATE_REFUSED", because("updateStoreTooNew", { version }));
  }
}
