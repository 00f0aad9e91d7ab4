import { expect, it } from "vitest";
import { openWhenReachable, type AwayDecision } from "../../../main/app/starting/open-when-reachable.ts";

const away = new Error("away");

/** A program whose database is unavailable for a number of attempts, and a user who decides `says`, or nothing. */
function opening({ attempts, says, quietMs = 0 }: { attempts: number; says: AwayDecision[]; quietMs?: number }) {
  const seen = { opened: [] as boolean[], asked: 0, isAskedStill: false };
  return {
    seen,
    open: async (isInFile: boolean) => {
      seen.opened.push(isInFile);
      if (!isInFile && seen.opened.length <= attempts) throw away;
      return "program";
    },
    isAway: (error: unknown) => error === away,
    ask: (_error: unknown, signal: AbortSignal) => {
      seen.asked += 1;
      const said = says.shift();
      if (said) return Promise.resolve(said);
      seen.isAskedStill = true;
      signal.addEventListener("abort", () => (seen.isAskedStill = false));
      return Promise.withResolvers<AwayDecision>().promise;
    },
    everyMs: 1,
    quietMs,
  };
}

it("opens when the database responds, asks only once and closes the dialog", async () => {
  const waiting = opening({ attempts: 5, says: [] });
  expect(await openWhenReachable(waiting)).toBe("program");
  expect(waiting.seen).toEqual({ opened: Array(6).fill(false), asked: 1, isAskedStill: false });
});

it("asks again after an unsuccessful retry", async () => {
  const waiting = opening({ attempts: 3, says: ["again", "again"] });
  expect(await openWhenReachable(waiting)).toBe("program");
  expect(waiting.seen).toMatchObject({ asked: 3, isAskedStill: false });
});

it("uses the file, or quits, as the user chooses", async () => {
  const onFile = opening({ attempts: 100, says: ["file"] });
  expect([await openWhenReachable(onFile), onFile.seen.opened]).toEqual(["program", [false, true]]);
  expect(await openWhenReachable(opening({ attempts: 100, says: ["again", "quit"] }))).toBeNull();
});

it("does not ask while workstation and server start together", async () => {
  const starting = opening({ attempts: 3, says: ["quit"], quietMs: 60_000 });
  expect([await openWhenReachable(starting), starting.seen.asked]).toEqual(["program", 0]);
});

it("rejects with permanent errors at once", async () => {
  const broken = { ...opening({ attempts: 3, says: [] }), isAway: () => false };
  await expect(openWhenReachable(broken)).rejects.toBe(away);
  const fileBroken = opening({ attempts: 3, says: ["file"] });
  const both = { ...fileBroken, open: () => Promise.reject(away) };
  await expect(openWhenReachable(both)).rejects.toBe(away);
});
