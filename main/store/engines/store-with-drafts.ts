import { AsyncLocalStorage } from "node:async_hooks";
import type { WritableDb } from "../connection.ts";
import { engineOf, setEngine, type Engine } from "./engine.ts";

/** Two stores under one name: a practice's database, and the drafts of this machine while that is away. */
export type StoreWithDrafts = {
  /** Asks whichever of both is in use. */
  readonly db: WritableDb;
  /** Asks the drafts while the practice's store is away, in use or not: for what is known there as well. */
  readonly reachable: WritableDb;
  isOnDrafts(): boolean;
  /** From now on questions go to the drafts, or to the practice's store again; a transaction ends where it began. */
  useDrafts(isWanted: boolean): void;
  /** All that is asked in `work` goes to the store that is in use now. */
  within<T>(work: () => Promise<T>): Promise<T>;
};

export function createStoreWithDrafts(
  practice: WritableDb,
  drafts: WritableDb,
  isAway: () => boolean,
): StoreWithDrafts {
  let inUse = practice;
  const pinned = new AsyncLocalStorage<WritableDb>();
  const standIn = (current: () => WritableDb): WritableDb => {
    const db = asWhichever(current);
    const driver = asWhichever(() => engineOf(current()).driver, {
      transaction: (mode, work) => {
        const store = current();
        return pinned.run(store, () => engineOf(store).driver.transaction(mode, work));
      },
    });
    setEngine(
      db,
      asWhichever<Engine>(() => engineOf(current()), { driver }),
    );
    return db;
  };
  const current = () => pinned.getStore() ?? inUse;
  return {
    db: standIn(current),
    reachable: standIn(() => pinned.getStore() ?? (isAway() ? drafts : inUse)),
    isOnDrafts: () => inUse === drafts,
    useDrafts(isWanted) {
      inUse = isWanted ? drafts : practice;
    },
    within: (work) => pinned.run(current(), work),
  };
}

/** An object that is another one each time it is asked, but for some members of its own. */
function asWhichever<T extends object>(current: () => T, own: Partial<T> = {}): T {
  return new Proxy({} as T, {
    get(_, name) {
      if (Object.hasOwn(own, name)) return own[name as keyof T];
      const target = current();
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === "function" ? (member.bind(target) as unknown) : member;
    },
    has: (_, name) => name in current(),
  });
}
