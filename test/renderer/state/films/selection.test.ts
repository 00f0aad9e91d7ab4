import { beforeEach, expect, test } from "vitest";
import { inParts } from "../../../../renderer/worklist/selection/in-parts.ts";
import { filmsMeant, useSelection } from "../../../../renderer/state/films/selection.ts";

const order = ["a", "b", "c", "d", "e"];
const selected = () => [...useSelection.getState().ids].toSorted();
beforeEach(() => useSelection.setState({ ids: new Set(), anchor: null }));

test("Shift selects from the anchor to the film, in either direction, and shrinks again", () => {
  const { only, extendTo } = useSelection.getState();
  only("c");
  extendTo("e", order);
  expect(selected()).toEqual(["c", "d", "e"]);
  extendTo("b", order);
  expect(selected()).toEqual(["b", "c"]);
});

test("without an anchor that is listed Shift selects the film alone", () => {
  const { only, extendTo } = useSelection.getState();
  extendTo("d", order);
  expect(selected()).toEqual(["d"]);
  only("gone");
  extendTo("b", order);
  expect(selected()).toEqual(["b"]);
});

test("Ctrl adds and takes away, Ctrl+A takes all", () => {
  const { toggle, all } = useSelection.getState();
  toggle("a");
  toggle("c");
  toggle("a");
  expect(selected()).toEqual(["c"]);
  all(order);
  expect(selected()).toEqual(order);
});

test("an act on a row means the selection only where the row is in it", () => {
  const several = ["a", "b"];
  expect([filmsMeant("a", several), filmsMeant("c", several), filmsMeant("a", ["a"])]).toEqual([
    ["a", "b"],
    ["c"],
    ["a"],
  ]);
});

test("films that are gone are selected no longer, and no selection starts at them", () => {
  const { all, forget } = useSelection.getState();
  all(order);
  forget(["a", "c"]);
  expect([selected(), useSelection.getState().anchor]).toEqual([["b", "d", "e"], null]);
});

test("more films than a message may name go in parts, none is left out", () => {
  const many = Array.from({ length: 2500 }, (_, index) => `film-${index}`);
  const parts = inParts(many);
  expect(parts.map((part) => part.length)).toEqual([1000, 1000, 500]);
  expect(parts.flat()).toEqual(many);
});
