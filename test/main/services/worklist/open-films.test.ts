import { expect, it } from "vitest";
import { openBench } from "../../../fixtures/desktop-bench.ts";

it("keeps the films of pages, with a log entry, while sessions cannot be read", async ({ onTestFinished }) => {
  const bench = await openBench({ start: false });
  onTestFinished(() => bench.remove());
  const { openFilms } = bench.desktop.parts;
  await openFilms.say("a page", "a film");
  await openFilms.review(() => Promise.reject(new Error("the store is away")));
  expect(bench.logged).toEqual([expect.stringMatching(/^which films are open could not be said .*the store is away/)]);
  expect(await openFilms.elsewhere("another page")).toMatchObject([{ filmId: "a film" }]);
});
