import { beforeEach, expect, test } from "vitest";
import { inParts } from "../../../../renderer/worklist/selection/in-parts.ts";
import { targetFilms, useSelection } from "../../../../renderer/state/films/selection.ts";

const order = ["a", "b", "c", "d", "e"];
const selected = () => [...useSelection.getState().ids].toSorted();
beforeEach(() => useSelection.setState({ ids: new Set(), anchor: null }));

test("selects from the anchor to the film with Shift, in either direction, and shrinks again", () => {
  const { only, extendTo } = useSelection.getState();
  only("c");
  extendTo("e", order);
  expect(selected()).toEqual(["c", "d", "e"]);
  extendTo("b", order);
  expect(selected()).toEqual(["b", "c"]);
});

test("selects only the film with Shift if no anchor is listed", () => {
  const { only, extendTo } = useSelection.getState();
  extendTo("d", order);
  expect(selected()).toEqual(["d"]);
  only("gone");
  extendTo("b", order);
  expect(selected()).toEqual(["b"]);
});

test("toggles with Ctrl, and selects all with Ctrl+A", () => {
  const { toggle, all } = useSelection.getState();
  toggle("a");
  toggle("c");
  toggle("a");
  expect(selected()).toEqual(["c"]);
  all(order);
  expect(selected()).toEqual(order);
});

test("applies an action on a row to the selection only if the row is selected", () => {
  const several = ["a", "b"];
  expect([targetFilms("a", several), targetFilms("c", several), targetFilms("a", ["a"])]).toEqual([
    ["a", "b"],
    ["c"],
    ["a"],
  ]);
});

test("deselects removed films, and drops them as anchor", () => {
  const { all, forget } = useSelection.getState();
  all(order);
  forget(["a", "c"]);
  expect([selected(), useSelection.getState().anchor]).toEqual([["b", "d", "e"], null]);
});

test("splits more films than a request may contain into parts", () => {
  const many = Array.from({ length: 2500 }, (_, index) => `film-${index}`);
  const parts = inParts(many);
  expect(parts.map((part) => part.length)).toEqual([1000, 1000, 500]);
  expect(parts.flat()).toEqual(many);
});
