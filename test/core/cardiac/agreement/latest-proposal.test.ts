import { expect, test } from "vitest";
import type { Reading } from "../../../../core/contract/desktop/readings.ts";
import { latestProposal } from "../../../../core/cardiac/agreement/latest-proposal.ts";

test("returns the latest reading of the networks, null without one", () => {
  const readings = [
    { id: "first", source: "model" },
    { id: "again", source: "model" },
    { id: "corrected", source: "person" },
  ] as Reading[];
  expect(latestProposal(readings)?.id).toBe("again");
  expect(latestProposal(readings.slice(2))).toBeNull();
});
