import { agreementText, type Agreement } from "../../core/cardiac/agreement/agreement-text.ts";
import type { ConfidenceTier } from "../../core/cardiac/confidence.ts";
import { verdictShapes } from "../../core/cardiac/verdict/verdict-shapes.ts";
import { useText } from "./language/language.ts";

const tierShapes: Readonly<Record<ConfidenceTier, string>> = {
  optimal: verdictShapes.reliable,
  good: verdictShapes.usable,
  review: verdictShapes.check,
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
