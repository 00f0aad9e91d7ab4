import { describe, expect, it } from "vitest";
import { countFrame, isCaptureOver, type CaptureStep } from "../../../core/cardiac/capture-rules.ts";

/** Frames as letters: g good, p poor. */
function play(frames: string): CaptureStep[] {
  let count = { framesProcessed: 0, consecutiveFailures: 0, goodFrames: 0 };
  return [...frames].map((frame) => {
    const after = countFrame(count, frame === "g");
    count = after.count;
    return after.step;
  });
}

describe("a capture session", () => {
  it.each<[string, CaptureStep]>([
    ["g", "continue"],
    ["gg", "continue"],
    ["ggg", "complete"],
    ["gppgppppg", "complete"],
    ["pppp", "continue"],
    ["ppppp", "max_consecutive_failures"],
    ["ppppgpppp", "continue"],
    ["ppppgppppp", "max_consecutive_failures"],
    ["ppppgppppgpppppppppp".slice(0, 15), "max_consecutive_failures"],
  ])("after %s says %s", (frames, step) => expect(play(frames).at(-1)).toBe(step));

  it("completes with its twentieth frame, fails with any other twentieth, and that goes before failures in a row", () => {
    const nineteen = { framesProcessed: 19, consecutiveFailures: 4, goodFrames: 2 };
    expect([
      countFrame(nineteen, true).step,
      countFrame({ ...nineteen, goodFrames: 1 }, true).step,
      countFrame(nineteen, false).step,
    ]).toEqual(["complete", "max_frames_exceeded", "max_frames_exceeded"]);
  });

  it("takes frames for 300 seconds, the last moment included", () => {
    expect([isCaptureOver(1000, 301_000), isCaptureOver(1000, 301_001)]).toEqual([false, true]);
  });
});
