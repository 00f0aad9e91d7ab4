import { expect, it } from "vitest";
import { openBenchForTest } from "../../../fixtures/use-bench.ts";

it("keeps the open films and logs an error while sessions cannot be read", async () => {
  const bench = await openBenchForTest({ start: false });
  const { openFilms } = bench.desktop.parts;
  await openFilms.say("a page", "a film");
  await openFilms.review(() => Promise.reject(new Error("the store is away")));
  expect(bench.logged).toEqual([expect.stringMatching(/^the open films could not be published .*the store is away/)]);
  expect(await openFilms.elsewhere("another page")).toMatchObject([{ filmId: "a film" }]);
});

it("publishes an opened film to all pages except the one that opened it", async () => {
  const bench = await openBenchForTest({ start: false });
  const { pageSessions, subscribePage, parts } = bench.desktop;
  const cookie = pageSessions.signIn(pageSessions.signInPath().slice("/#t=".length));
  const browser = pageSessions.sessionOf(cookie!)!;
  const received: string[] = [];
  for (const session of ["window", browser])
    subscribePage(session, ({ name, payload }) => void received.push(`${session} ${name} ${JSON.stringify(payload)}`));
  await parts.openFilms.say("window", "a film");
  await expect.poll(() => received).toEqual([`${browser} openFilms.changed {}`]);
  await parts.openFilms.say(browser, "a film");
  await expect.poll(() => received).toEqual([`${browser} openFilms.changed {}`, "window openFilms.changed {}"]);
  await parts.openFilms.review(() => Promise.resolve(false));
  await expect.poll(() => received.length).toBe(4);
});
