import { beforeEach, expect, test } from "vitest";
import type { Film } from "../../../../core/contract/desktop/films.ts";
import { setConnection } from "../../../../renderer/state/connection.ts";
import { useWaiting } from "../../../../renderer/state/films/waiting.ts";

let order: string[];
let asked: number;
beforeEach(() => {
  asked = 0;
  useWaiting.setState({ order: [] });
  setConnection({
    kind: "browser",
    call: (channel) => {
      if (channel === "films.queue") asked += 1;
      return Promise.resolve({ ok: true, value: { filmIds: [...order] } } as never);
    },
    subscribe: () => () => undefined,
  });
});
const hear = (id: string, state: Film["state"]) => useWaiting.getState().noteFilm({ id, state } as Film);
const places = () => useWaiting.getState().order;

test("those that wait move up as the films before them are measured, though nothing is told of them", async () => {
  order = ["bella", "rex"];
  hear("bella", "queued");
  hear("rex", "queued");
  await expect.poll(places).toEqual(["bella", "rex"]);
  expect(asked).toBe(1);
  order = ["rex"];
  hear("bella", "measuring");
  await expect.poll(places).toEqual(["rex"]);
  order = [];
  hear("rex", "measuring");
  await expect.poll(places).toEqual([]);
});

test("the queue is not asked for while nothing waits", async () => {
  order = ["bella"];
  hear("rex", "done");
  hear("bella", "queued");
  await expect.poll(places).toEqual(["bella"]);
  expect(asked).toBe(1);
});
