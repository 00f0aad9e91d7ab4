import { agreementText, type Agreement } from "../../core/cardiac/agreement/agreement-text.ts";
import type { ConfidenceTier } from "../../core/cardiac/confidence.ts";
import { useText } from "./language/language.ts";

export const tierShapes: Readonly<Record<ConfidenceTier, string>> = {
  optimal: "M8 2a6 6 0 1 0 .01 0z",
  good: "M8 1.500L14.500 8 8 14.500 1.500 8z",
  review: "M8 2L15 14H1z",
};

/** How far the networks agree, in words, colour and shape: it reads without colour. */
export function TierMark({
  isShort,
  ...agreement
}: Agreement & {
  /** The mark alone; the words are its title. */
  readonly isShort?: boolean;
}) {
  const text = useText();
  const words = agreementText(agreement, text);
  return (
    <span className={`tier ${agreement.tier}`} title={isShort ? words : undefined}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={tierShapes[agreement.tier]} />
      </svg>
      <span className={isShort ? "visually-hidden" : undefined}>{words}</span>
    </span>
  );
}
