import { beforeEach, expect, test, vi } from "vitest";
import { AppError, failureOf } from "../../../core/app-error.ts";
import type { PersonSession } from "../../../core/contract/desktop/practice/people.ts";
import { answerCalls } from "../../fixtures/page/answer-calls.ts";
import { useNavigation } from "../../../renderer/state/navigation.ts";
import { usePeople } from "../../../renderer/state/people.ts";

const weber = { id: "weber", name: "Dr Weber", role: "veterinarian" } as const;
const session = {
  ...{ isOn: true, me: weber, people: [weber], lastId: null, lockAfterMinutes: 10 },
  ...{ language: "en", locale: "en-GB", theme: "dark" },
} as unknown as PersonSession;
const here = () => usePeople.getState().session?.me?.id ?? null;

/** Channels called, in order. Dr Weber is signed in until a lock. */
let asked: string[];
let isAway: boolean;

beforeEach(async () => {
  vi.stubGlobal("document", { documentElement: { dataset: {} } });
  [asked, isAway] = [[], false];
  let isIn = true;
  answerCalls((channel, { secret }: { readonly secret?: string }) => {
    asked.push(channel);
    const isRefused = isAway || secret === "wrong";
    if (isRefused) return { ok: false, ...failureOf(new AppError("LOCKED")) };
    if (channel === "session.lock") isIn = false;
    if (channel === "session.signIn") isIn = true;
    return { ok: true, value: { ...session, me: isIn ? weber : null } };
  });
  await usePeople.getState().load();
});

test("sends a lock that did not reach the program before using its session again", async () => {
  isAway = true;
  await usePeople.getState().lock();
  expect([here(), usePeople.getState().session?.lastId]).toEqual([null, "weber"]);
  isAway = false;
  await usePeople.getState().load();
  expect([here(), asked.at(-1)]).toEqual([null, "session.lock"]);
  await usePeople.getState().load();
  expect([here(), asked.at(-1)]).toEqual([null, "session.get"]);
});

test("drops a pending lock after a sign-in, but not after a wrong secret", async () => {
  isAway = true;
  await usePeople.getState().lock();
  isAway = false;
  await expect(usePeople.getState().signIn("weber", "wrong")).rejects.toThrow();
  await usePeople.getState().signIn("weber", "right");
  await usePeople.getState().load();
  expect([here(), asked.at(-1)]).toEqual(["weber", "session.get"]);
});

test("requests an idle page's session first, as another tab may be in use, and locks without a response", async () => {
  await usePeople.getState().lockIfIdle();
  expect([here(), asked.at(-1)]).toEqual(["weber", "session.get"]);
  isAway = true;
  await usePeople.getState().lockIfIdle();
  isAway = false;
  expect([here(), usePeople.getState().session?.lastId]).toEqual([null, "weber"]);
  await usePeople.getState().load();
  expect([here(), asked.includes("session.lock")]).toEqual(["weber", false]);
});

test("closes a question that the previous user left open", () => {
  const leave = vi.fn<() => void>();
  useNavigation.getState().setGuard({ save: () => Promise.resolve(), discard: () => undefined });
  useNavigation.getState().leave(leave);
  usePeople.getState().receive(session);
  expect(useNavigation.getState().pending).toBe(leave);
  usePeople.getState().receive({ ...session, me: { ...weber, id: "sommer" } });
  expect([useNavigation.getState().pending, leave.mock.calls]).toEqual([null, []]);
  useNavigation.getState().setGuard(null);
});
