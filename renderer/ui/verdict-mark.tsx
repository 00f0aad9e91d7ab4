import type { FilmVerdict } from "../../core/cardiac/verdict/film-verdict.ts";
import { verdictShapes } from "../../core/cardiac/verdict/verdict-shapes.ts";
import { briefVerdictText, verdictText } from "../../core/cardiac/verdict/verdict-text.ts";
import { useFormat } from "./language/format.ts";
import { useText } from "./language/language.ts";

/** Verdict on a film in words, colour and shape, so that it does not depend on colour. */
export function VerdictMark({
  verdict,
  isBrief,
}: {
  readonly verdict: FilmVerdict;
  /** Shows a single word, with the full sentence as a tooltip. */
  readonly isBrief?: boolean;
}) {
  const text = useText();
  const format = useFormat();
  const sentence = verdictText(verdict, text, format.number);
  return (
    <span className={`tier ${verdict.grade}`} title={isBrief ? sentence : undefined} data-testid="verdict">
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={verdictShapes[verdict.grade]} />
      </svg>
      <span>{isBrief ? briefVerdictText(verdict, text) : sentence}</span>
    </span>
  );
}
