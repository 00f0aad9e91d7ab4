import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { rowOf } from "../../../main/commands/output/measured-row.ts";
import { decodeImage } from "../../../main/imaging/decode-image.ts";
import { programDir } from "../../../main/program.ts";
import { measured, rejected } from "../store/sample-store.ts";

it("contains the disagreement of the networks, null if unknown", async () => {
  const film = await decodeImage(readFileSync(path.join(programDir, "test", "fixtures", "films", "dog-01.jpg")));
  const apartIn = (measurement: Parameters<typeof rowOf>[2]) => {
    const row = rowOf("a.jpg", film, measurement);
    return "votes_apart" in row ? [row.votes_apart, row.looks_apart] : row;
  };
  expect(apartIn({ ...measured, disagreement: { votesApart: 0, looksApart: 0.12345678 } })).toEqual([0, 0.123457]);
  expect(apartIn({ ...measured, disagreement: { votesApart: null, looksApart: 0.1 } })).toEqual([null, 0.1]);
  expect(apartIn(rejected)).toEqual([null, null]);
});
