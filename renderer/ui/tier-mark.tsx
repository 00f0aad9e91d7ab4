import type { ConfidenceTier } from "../../core/cardiac/confidence.ts";
import { useText } from "./language/language.ts";

const shapes: Readonly<Record<ConfidenceTier, string>> = {
  optimal: "M8 2a6 6 0 1 0 .01 0z",
  good: "M8 1.500L14.500 8 8 14.500 1.500 8z",
  review: "M8 2L15 14H1z",
};

/** A confidence tier in word, colour and shape: it reads without colour. */
export function TierMark({ tier, isShort }: { readonly tier: ConfidenceTier; readonly isShort?: boolean }) {
  const text = useText();
  const word = text(`result.tier_${tier}`);
  return (
    <span className={`tier ${tier}`} title={isShort ? word : undefined}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={shapes[tier]} />
      </svg>
      <span className={isShort ? "visually-hidden" : undefined}>{word}</span>
    </span>
  );
}
