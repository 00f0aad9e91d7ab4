import { expect, it } from "vitest";
import { runAttacks } from "../../tools/attack/attack-run.ts";

it(
  "attack: raw HTTP, bodies, archives and pictures built to be large crash nothing",
  { timeout: 300_000 },
  async () => {
    const tallies = await runAttacks(true);
    expect(tallies.map(({ kind, crashed, lost }) => [kind, crashed, lost])).toEqual([
      ["raw HTTP", 0, 0],
      ["16-bit interlaced PNG", 0, 0],
      ["JSON bodies", 0, 0],
      ["ZIP", 0, 0],
    ]);
    expect(tallies.find(({ kind }) => kind === "16-bit interlaced PNG")).toMatchObject({ tried: 8, refused: 8 });
  },
);
