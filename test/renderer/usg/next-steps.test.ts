import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { riskTiers, type RiskTier } from "../../../core/usg/risk-tiers.ts";
import { NextSteps } from "../../../renderer/usg/next-steps.tsx";

const printed = (tier: RiskTier) => renderToStaticMarkup(createElement(NextSteps, { tier }));

test("cites a source for every next step, and not IRIS for urinalysis alone", () => {
  const [low, lowToModerate, ...others] = riskTiers.map(printed);
  expect(low).toBe("");
  expect(lowToModerate).toContain("Urinalysis: recommended action for this risk tier.");
  expect(lowToModerate).not.toMatch(/IRIS|Other steps/);
  expect(others).toHaveLength(2);
  for (const shown of others)
    expect(shown).toMatch(
      /action for this risk tier\. Other steps: International Renal Interest Society.*Creatinine by IRIS/,
    );
});
