import { expect, test } from "vitest";
import { sharpened } from "../../../renderer/film/painter/film-painter-canvas.ts";

test("sharpens a film with two rows of two greys only where greys meet within a row", () => {
  const film = { data: Uint8Array.from([10, 10, 10, 50, 10, 10, 10, 50]), widthPx: 4 };
  const rows = [...film.data.keys()].map((index) => sharpened(film, index, 1));
  expect(rows).toEqual([10, 10, 0, 60, 10, 10, 0, 60]);
});
