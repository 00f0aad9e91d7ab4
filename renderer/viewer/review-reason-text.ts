import type { ReviewReason } from "../../core/cardiac/confidence.ts";
import { validVhs, validVlas } from "../../core/cardiac/heart-score.ts";
import { formatsOf } from "../ui/format.ts";
import { fillMessage, type Language } from "../ui/message.ts";
import { resultMessages } from "../ui/messages/result.ts";

/** Decimals of a figure and its limit: the figure has one more, so that one a little past the limit is told from it. */
const decimals: Readonly<Partial<Record<ReviewReason["kind"], { readonly value: number; readonly limit: number }>>> = {
  spread: { value: 4, limit: 3 },
  member_scatter: { value: 3, limit: 2 },
  frame_scatter: { value: 2, limit: 1 },
  short_ruler: { value: 0, limit: 2 },
};
const whole = { value: 0, limit: 0 };

/** A reason for a review in words, with its figure and unit. */
export function reviewReasonText({ kind, value, limit }: ReviewReason, language: Language): string {
  const { number } = formatsOf(language);
  const digits = decimals[kind] ?? whole;
  const range = kind === "no_score" ? validVhs : validVlas;
  return fillMessage(resultMessages[`reason_${kind}`], language, {
    value: number(value ?? 0, digits.value),
    limit: number(limit ?? 0, digits.limit),
    least: number(range.least, kind === "no_score" ? 0 : 1),
    most: number(range.most, 0),
  });
}
