import { expect, test } from "vitest";
import {
  isPlacedByPerson,
  networksTier,
  reportedVerdict,
} from "../../../../core/cardiac/agreement/placed-by-person.ts";

const model = { source: "model", verdict: null, resultCode: 2 } as const;
const byHand = { source: "person", verdict: "by_hand", resultCode: null } as const;
const corrected = { source: "person", verdict: "corrected", resultCode: null } as const;
const acceptedProposal = { source: "person", verdict: "accepted", resultCode: 2 } as const;
const acceptedPoints = { source: "person", verdict: "accepted", resultCode: null } as const;

test("attributes points to a user even after acceptance, and never those of a proposal", () => {
  expect([byHand, corrected, acceptedPoints].map(isPlacedByPerson)).toEqual([true, true, true]);
  const api = { source: "api", verdict: null, resultCode: null } as const;
  expect([null, model, acceptedProposal, api].map(isPlacedByPerson)).toEqual([false, false, false, false]);
});

test("keeps the networks' tier for accepted points, but not for points of a user", () => {
  const proposal = { ...model, tier: "review" } as const;
  const tierOf = (reading: typeof acceptedProposal | typeof corrected | typeof acceptedPoints) =>
    networksTier({ ...reading, tier: null }, proposal);
  expect([acceptedProposal, corrected, acceptedPoints].map(tierOf)).toEqual(["review", null, null]);
  expect([networksTier(proposal, null), networksTier({ ...byHand, tier: null }, null)]).toEqual(["review", null]);
});

test("reports an accepted correction as corrected, and accepted points without a proposal as by_hand", () => {
  const told = [[], [model], [model, acceptedProposal], [model, acceptedPoints], [acceptedPoints], [model, byHand]];
  expect(told.map(reportedVerdict)).toEqual([null, null, "accepted", "corrected", "by_hand", "by_hand"]);
});
