import { createHash } from "node:crypto";
import { AppError, because } from "../../../../core/app-error.ts";
import type { DesktopChannel } from "../../../../core/contract/desktop.ts";
import type { DraftState } from "../../../../core/contract/desktop/practice/drafts.ts";
import type { FolderSettings } from "../../../../core/contract/desktop/practice/folders.ts";
import type { WritableDb } from "../../../store/database.ts";
import { holdsDrafts } from "../../../store/drafts-store.ts";
import { transaction } from "../../../store/engines/engine.ts";
import type { StoreWithDrafts } from "../../../store/engines/store-with-drafts.ts";
import { listPeople, peopleSetting, savePeople } from "../../../store/people/people.ts";
import {
  changeSetting,
  getSetting,
  keysTakenAlong,
  listMachineSettings,
  ownRangesSetting,
  saveMachineSettings,
  saveSetting,
  watchedFoldersSetting,
  type Setting,
} from "../../../store/settings.ts";
import type { DesktopContext } from "../../desktop/desktop-context.ts";
import { getDesktopSettings, machineSettings, saveDesktopSettings } from "../../desktop/desktop-settings.ts";
import { inTurn } from "../../measuring/in-turn.ts";
import type { FilmQueue } from "../film-queue.ts";
import { holdsReceived } from "./hand-over-received.ts";
import { countDrafts, finishHandOver, handOverFilms } from "./hand-over.ts";

/** Both stores of a machine whose practice has a database, and whether that answers. */
export type TwoStores = {
  readonly practice: WritableDb;
  readonly drafts: WritableDb;
  readonly both: StoreWithDrafts;
  readonly isAway: () => boolean;
};

/** Who hears of what is in either store, whichever is in use: during a hand-over both are written. */
type News = {
  /** To the pages of this program. */
  readonly publishHere: DesktopContext["publish"];
  /** To the practice software and the other machines, too. */
  readonly publishToAll: DesktopContext["publish"];
};

/** What a vet does with films while the practice's database is away. */
export type Drafts = {
  state(): Promise<DraftState>;
  /** Whether a channel has to wait for the database. */
  isRefused(channel: string): boolean;
  /** @throws AppError CONFLICT while the database answers */
  begin(): Promise<DraftState>;
  /** @throws AppError STORE_UNAVAILABLE while it does not */
  handOver(): Promise<DraftState>;
  /** The database went away or came back, or a page was left: with nobody at one the program decides for itself. */
  hearDatabase(isAttended: boolean): Promise<void>;
  /** What drafts begin with has changed. */
  hearSettings(): Promise<void>;
  /** Looks whether it has: a command tells nobody. */
  lookAtSettings(): Promise<void>;
};

/** What works on drafts: films from being opened to being read and printed. All else is the practice's. */
const usable: ReadonlySet<string> = new Set<DesktopChannel>([
  "films.list",
  "films.get",
  "films.edit",
  "films.openFrame",
  "films.assignPatient",
  "films.cancel",
  "films.retry",
  "films.remove",
  "films.exportAnnotated",
  "films.queue",
  "films.counts",
  "readings.save",
  "annotations.list",
  "annotations.save",
  "patients.list",
  "patients.get",
  "patients.create",
  "patients.edit",
  "trends.get",
  "agreement.drift",
  "usg.model",
  "usg.whatIf",
  "capture.start",
  "capture.get",
  "capture.cancel",
  "dicom.get",
  "received.list",
  "marks.list",
  "keyFilms.list",
  "orders.next",
  "settings.get",
  "settings.save",
  "updates.get",
  "sample.get",
  "app.health",
  "app.about",
  "app.faults",
  "reports.handOut",
  "reports.mail",
  "reports.cancel",
  "opening.take",
  "opening.import",
  "ranges.list",
  "drafts.get",
  "drafts.begin",
  "drafts.handOver",
  "session.get",
  "session.signIn",
  "session.lock",
  "session.touch",
]);

/** @param queue  of the films of whichever store is in use */
export function createDrafts(
  context: DesktopContext,
  { practice, drafts, both, isAway, publishHere, publishToAll }: TwoStores & News,
  queue: FilmQueue,
): Drafts {
  const here: DesktopContext = { ...context, db: drafts, publish: publishHere };
  const there: DesktopContext = { ...context, db: practice, publish: publishToAll };
  let turn = Promise.resolve();
  let kept = "";
  const keepSettings = (isNews: (digest: string) => boolean = () => true) =>
    inTurn(`settings of the drafts of ${context.dataDir}`, async () => {
      const settings = await readSettings(there);
      const digest = digestOf(settings);
      if (!isNews(digest)) return;
      await writeSettings(here, settings);
      kept = digest;
    });
  const state = async () => ({ isAway: isAway(), isOnDrafts: both.isOnDrafts(), films: await countDrafts(here) });
  const actInTurn = async (act: () => Promise<void>) => {
    const acted = turn.then(act);
    turn = acted.catch(() => undefined);
    await acted;
    const now = await state();
    context.publish({ name: "drafts.changed", payload: { state: now } });
    return now;
  };
  const begin = () =>
    actInTurn(() => {
      if (!isAway()) throw new AppError("CONFLICT", because("databaseThere"));
      both.useDrafts(true);
      queue.wake();
      return Promise.resolve();
    });
  const handOver = () =>
    actInTurn(async () => {
      if (isAway()) throw new AppError("STORE_UNAVAILABLE", because("databaseAway"));
      // A film that is being measured ends where it began.
      await queue.whenIdle();
      await handOverFilms({ from: here, to: there });
      both.useDrafts(false);
      await queue.takeUp();
      await finishHandOver({ from: here, to: there });
      await keepSettings();
    });
  const isAnythingLeft = async () => (await holdsDrafts(drafts)) || (await holdsReceived(here));
  const isPracticeInUse = () => !isAway() && !both.isOnDrafts();
  const hearSettings = async () => {
    if (isPracticeInUse()) await keepSettings();
  };
  return {
    state,
    hearSettings,
    async lookAtSettings() {
      if (isPracticeInUse()) await keepSettings((digest) => digest !== kept);
    },
    isRefused: (channel) => both.isOnDrafts() && !usable.has(channel),
    begin,
    handOver,
    async hearDatabase(isAttended) {
      await hearSettings();
      if (isAway() && !isAttended) await begin();
      else if (!isAway() && (both.isOnDrafts() ? !isAttended : await isAnythingLeft())) await handOver();
      else context.publish({ name: "drafts.changed", payload: { state: await state() } });
    },
  };
}

/**
 * Settings, ranges and whoever signs in: a page on drafts begins with the same, and so do receiver and watched folders.
 */
async function readSettings({ db }: DesktopContext) {
  return {
    settings: await getDesktopSettings(db),
    ofMachine: await listMachineSettings(
      db,
      keysTakenAlong.filter((key) => key !== machineSettings.key),
    ),
    ranges: await getSetting(db, ownRangesSetting),
    people: await listPeople(db),
    signingIn: await getSetting(db, peopleSetting),
  };
}

type BegunWith = Awaited<ReturnType<typeof readSettings>>;

/** The practice has been asked by now: drafts wait for no network. */
async function writeSettings(to: DesktopContext, begunWith: BegunWith): Promise<void> {
  const { settings, ofMachine, ranges, people, signingIn } = begunWith;
  await transaction(to.db, async () => {
    await saveDesktopSettings({ ...to, publish: () => undefined }, settings);
    await saveMachineSettings(to.db, ofMachine);
    // Results are the practice's: they are written once it has the films.
    await changeSetting(to.db, foldersHere, (folders) => ({ ...folders, outbox: null }));
    await saveSetting(to.db, ownRangesSetting, ranges);
    await savePeople(to.db, people);
    await saveSetting(to.db, peopleSetting, signingIn);
  });
}

function digestOf(begunWith: BegunWith): string {
  const text = JSON.stringify({ ...begunWith, ofMachine: [...begunWith.ofMachine] });
  return createHash("sha256").update(text).digest("hex");
}

/** Nobody chooses them here: the trail of the drafts says nothing of them. */
const foldersHere: Setting<FolderSettings> = {
  key: "watchedFolders",
  isOfMachine: true,
  schema: watchedFoldersSetting.schema,
  fallback: watchedFoldersSetting.fallback,
};
