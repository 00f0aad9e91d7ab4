// Runs once: opens PostgreSQL or both engines directly.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { WritableDb } from "../../../../main/store/connection.ts";
import { engineOf, isTaken, transaction, unsyncedTransaction } from "../../../../main/store/engines/engine.ts";
import { engines, openTestStore } from "./test-store.ts";

describe.each(engines)("a transaction on %s", (engine) => {
  let store: Awaited<ReturnType<typeof openTestStore>>;
  let db: WritableDb;
  beforeAll(async () => {
    store = await openTestStore(engine);
    ({ db } = store);
  });
  beforeEach(async () => void (await db.deleteFrom("settings").execute()));
  afterAll(() => store.remove());

  const note = async (key: string) => {
    await db.insertInto("settings").values({ key, value: "{}" }).execute();
  };
  const noted = async () => {
    const rows = await db.selectFrom("settings").select("key").orderBy("key").execute();
    return rows.map(({ key }) => key);
  };
  const fail = () => {
    throw new Error("thought better of it");
  };

  it("commits all writes and returns the result", async () => {
    const result = await transaction(db, async () => {
      await note("one");
      await note("two");
      return "done";
    });
    expect([result, await noted()]).toEqual(["done", ["one", "two"]]);
  });

  it.each([
    ["synced", transaction],
    ["unsynced", unsyncedTransaction],
  ])("rolls back if its work fails (%s)", async (_name, begin) => {
    await expect(
      begin(db, async () => {
        await note("one");
        fail();
      }),
    ).rejects.toThrow("thought better of it");
    expect(await noted()).toEqual([]);
  });

  it("reads its own writes at any depth", async () => {
    const seen = await transaction(db, async () => {
      await note("one");
      return await Promise.resolve().then(noted);
    });
    expect(seen).toEqual(["one"]);
  });

  it("can be rolled back separately within another one", async () => {
    await transaction(db, async () => {
      await note("outer");
      await transaction(db, async () => {
        await note("inner");
        fail();
      }).catch(() => undefined);
      await transaction(db, () => note("other"));
    });
    expect(await noted()).toEqual(["other", "outer"]);
  });

  it("continues after a refused row in a nested transaction", async () => {
    await note("one");
    const hadRefusal = await transaction(db, async () => {
      const refusal = await transaction(db, () => note("one")).catch((error: unknown) => error);
      await note("two");
      return isTaken(refusal);
    });
    expect([hadRefusal, await noted()]).toEqual([true, ["one", "two"]]);
  });

  it("excludes concurrent transactions", async () => {
    const counted = Array.from({ length: 20 }, (_, index) =>
      transaction(db, async () => {
        const { length } = await noted();
        await note(`${String(length).padStart(2, "0")} at ${index % 2}`);
      }),
    );
    await Promise.all(counted);
    expect((await noted()).map((key) => Number(key.slice(0, 2)))).toEqual(Array.from({ length: 20 }, (_, at) => at));
  });

  it("excludes single writes", async () => {
    const order: string[] = [];
    const { promise: begun, resolve: begin } = Promise.withResolvers<undefined>();
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<undefined>();
    const takeLong = () =>
      transaction(db, async () => {
        await note("long");
        begin(undefined);
        await mayEnd;
        order.push("long");
      });
    const comeMeanwhile = async () => {
      await begun;
      const alone = note("alone").then(() => order.push("alone"));
      end(undefined);
      await alone;
    };
    await Promise.all([takeLong(), comeMeanwhile()]);
    expect(order).toEqual(["long", "alone"]);
  });

  it("runs afterCommit callbacks after the commit, and none after a rollback", async () => {
    const followed: string[] = [];
    const { driver } = engineOf(db);
    const follow = (name: string) => driver.afterCommit(async () => void followed.push(`${name} ${await noted()}`));
    await transaction(db, async () => {
      await follow("first");
      await transaction(db, () => note("one"));
      followed.push("before");
    });
    await transaction(db, async () => {
      await follow("second");
      fail();
    }).catch(() => undefined);
    await follow("at once");
    expect(followed).toEqual(["before", "first one", "at once one"]);
  });

  it("is refused once the store is closed", async () => {
    const closed = await openTestStore(engine);
    await closed.db.destroy();
    await expect(transaction(closed.db, () => Promise.resolve())).rejects.toThrow();
    await closed.remove();
  });

  it("returns the number of changed rows", async () => {
    await note("one");
    await note("two");
    const changed = await db.updateTable("settings").set({ value: "[]" }).executeTakeFirst();
    const removed = await db.deleteFrom("settings").where("key", "=", "one").executeTakeFirst();
    expect([Number(changed.numUpdatedRows), Number(removed.numDeletedRows)]).toEqual([2, 1]);
  });
});
