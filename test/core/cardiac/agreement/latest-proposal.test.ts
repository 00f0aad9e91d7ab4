import { expect, test } from "vitest";
import type { Reading } from "../../../../core/contract/desktop/readings.ts";
import { latestProposal } from "../../../../core/cardiac/agreement/latest-proposal.ts";

test("compares a correction with the networks' latest proposal", () => {
  const readings = [
    { id: "first", source: "model" },
    { id: "again", source: "model" },
    { id: "corrected", source: "person" },
  ] as Reading[];
  expect(latestProposal(readings)?.id).toBe("again");
  expect(latestProposal(readings.slice(2))).toBeNull();
});
