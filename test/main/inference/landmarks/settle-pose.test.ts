import { describe, expect, it } from "vitest";
import type { ThoraxSighting } from "../../../../main/inference/landmarks/landmark-decoding.ts";
import {
  agreedPoses,
  settlePoseWithRotations,
  settlePose,
  type SettledPoses,
} from "../../../../main/inference/landmarks/settle-pose.ts";
import type { ThoraxPose } from "../../../../main/inference/views/thorax-pose.ts";

const pose: ThoraxPose = { t8: { x: 400, y: 300 }, vertebraPx: 30, angleRad: 3.1, isMirrored: false };
const look = (of: ThoraxPose | null, columnEvidence: number): ThoraxSighting => ({ pose: of, columnEvidence });
const sized = (vertebraPx: number): ThoraxPose => ({ ...pose, vertebraPx });

describe("settlePose", () => {
  it("runs the network twice, the second time at the pose from the first run", async () => {
    const lookedAt: number[] = [];
    const settled = await settlePose(sized(40), async ({ vertebraPx }) => {
      lookedAt.push(vertebraPx);
      return look(sized((vertebraPx + 30) / 2), 45);
    });
    expect({ lookedAt, settled }).toEqual({
      lookedAt: [40, 35],
      settled: { pose: sized(32.5), columnEvidence: 45 },
    });
  });

  it("tries other sizes for weak evidence, and continues with the strongest", async () => {
    const settled = await settlePose(sized(30), async ({ vertebraPx }) =>
      vertebraPx > 35 ? look(sized(40), 45) : look(sized(vertebraPx), vertebraPx / 3),
    );
    expect(settled).toEqual({ pose: sized(40), columnEvidence: 45 });
  });

  it("keeps a pose without evidence, and returns null without a pose", async () => {
    const blind = async () => look(null, 0);
    expect([await settlePose(pose, blind), await settlePose(null, blind)]).toEqual([{ pose, columnEvidence: 0 }, null]);
  });
});

describe("settlePoseWithRotations", () => {
  const turnsOf = async (...evidence: readonly number[]) => {
    const asked: number[] = [];
    const poses = await settlePoseWithRotations(
      async (quarters): Promise<SettledPoses> => {
        asked.push(quarters);
        return [{ pose: sized(30 + quarters), columnEvidence: evidence[quarters] ?? 0 }, null];
      },
      async () => null,
    );
    return { asked, vertebraPx: poses.map((found) => found && found.vertebraPx) };
  };

  it("tries a single orientation if it shows a column", async () => {
    expect(await turnsOf(38)).toEqual({ asked: [0], vertebraPx: [30] });
  });

  it("rotates the film until a column is found", async () => {
    expect(await turnsOf(6, 12, 41, 44)).toEqual({ asked: [0, 1, 2], vertebraPx: [32] });
  });

  it("drops a pose without a column if the other shows one", async () => {
    const settled = (vertebraPx: number, columnEvidence: number) => ({ pose: sized(vertebraPx), columnEvidence });
    const settle = (...poses: SettledPoses) =>
      settlePoseWithRotations(
        async () => poses,
        async () => null,
      );
    expect(await settle(settled(11, 19), settled(36, 44))).toEqual([sized(36)]);
    expect(await settle(settled(30, 41), settled(36, 44))).toEqual([sized(30), sized(36)]);
  });

  it("searches parts of the film if no orientation shows a column, and uses stronger evidence", async () => {
    const found = (most: number, closer: number) =>
      settlePoseWithRotations(
        async () => [{ pose: sized(30), columnEvidence: most }],
        async () => ({ pose: sized(12), columnEvidence: closer }),
      );
    expect(await found(17, 41)).toEqual([sized(12)]);
    expect(await found(17, 9)).toEqual([sized(30)]);
    expect(await found(26, 41)).toEqual([sized(30)]);
  });

  it("continues with the strongest evidence if none suffices", async () => {
    expect(await turnsOf(6, 12, 9, 3)).toEqual({ asked: [0, 1, 2, 3], vertebraPx: [31, null] });
    expect(await turnsOf(0, 0, 0, 0)).toMatchObject({ vertebraPx: [30, null] });
  });
});

describe("agreedPoses", () => {
  it.each<[string, Partial<ThoraxPose>]>([
    ["a little smaller", { vertebraPx: 28, t8: { x: 410, y: 300 }, angleRad: 3.06 }],
    ["the other side of a half turn", { angleRad: 3.12 - 2 * Math.PI }],
  ])("returns the mean of close poses: %s", (_, change) => {
    const [agreed, ...others] = agreedPoses([pose, { ...pose, ...change }]);
    expect(others).toEqual([]);
    expect(Math.cos((agreed?.angleRad ?? 0) - 3.1)).toBeGreaterThan(0.999);
    expect(agreed?.vertebraPx).toBeCloseTo(Math.sqrt(30 * (change.vertebraPx ?? 30)), 9);
  });

  it.each<[string, Partial<ThoraxPose>]>([
    ["another size", { vertebraPx: 36 }],
    ["another place", { t8: { x: 440, y: 300 } }],
    ["a turn", { angleRad: 2.8 }],
    ["the other facing", { isMirrored: true }],
  ])("keeps both poses if they differ: %s", (_, change) => {
    const poses = [pose, { ...pose, ...change }];
    expect(agreedPoses(poses)).toEqual(poses);
  });

  it("returns the pose that was found", () => {
    expect(agreedPoses([null, pose])).toMatchObject([{ t8: pose.t8, isMirrored: false }]);
    expect(agreedPoses([null, null])).toEqual([null, null]);
  });
});
