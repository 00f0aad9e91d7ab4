import { describe, expect, it } from "vitest";
import type { Candidate, SquareMap } from "../../../../main/inference/screens/corner-candidates.ts";
import { mostLikelyFilm } from "../../../../main/inference/screens/corner-quadrilateral.ts";

const side = 64;
const at = (x: number, y: number, value: number): Candidate => ({ at: { x, y }, value });
const film = [at(10, 10, 0.8), at(30, 11, 0.6), at(29, 40, 0.8), at(9, 39, 0.7)] as const;
const blank: SquareMap = { values: new Float32Array(side * side), side };

function columns(first: number, last: number): SquareMap {
  return {
    values: Float32Array.from({ length: side * side }, (_, index) =>
      index % side >= first && index % side <= last ? 1 : 0,
    ),
    side,
  };
}

describe("mostLikelyFilm", () => {
  it("prefers the corners of a rectangle in perspective to the highest values", () => {
    const ofTheFilmBeside = at(55, 40, 0.85);
    expect(
      mostLikelyFilm([[film[0]], [film[1]], [ofTheFilmBeside, film[2]], [film[3]]], [blank, blank, blank, blank])
        ?.corners,
    ).toEqual(film);
  });

  it("prefers a side that the side map shows", () => {
    const frame = [at(36, 11, 0.7), at(35, 40, 0.85)] as const;
    const candidates = [[film[0]], [frame[0], film[1]], [frame[1], film[2]], [film[3]]];
    expect(mostLikelyFilm(candidates, [blank, blank, blank, blank])?.corners).toEqual([film[0], ...frame, film[3]]);
    expect(mostLikelyFilm(candidates, [blank, columns(28, 31), blank, blank])?.corners).toEqual(film);
  });

  it("returns null for crossed or mirrored corners, or if a corner has no candidate", () => {
    const [tl, tr, br, bl] = film;
    expect(mostLikelyFilm([[tl], [br], [tr], [bl]], [blank, blank, blank, blank])).toBeNull();
    expect(mostLikelyFilm([[tr], [tl], [bl], [br]], [blank, blank, blank, blank])).toBeNull();
    expect(mostLikelyFilm([[tl], [tr], [], [bl]], [blank, blank, blank, blank])).toBeNull();
  });
});
