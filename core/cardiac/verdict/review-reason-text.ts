import type { Say } from "../../language/say.ts";
import type { ReviewReason } from "../confidence.ts";
import { vhs } from "../measures/vhs.ts";
import { vlas } from "../measures/vlas.ts";

/**
 * Decimals of a value and its limit. The value has one more, so that it differs visibly from a limit that it just
 * exceeds.
 */
const decimals: Readonly<Partial<Record<ReviewReason["kind"], { readonly value: number; readonly limit: number }>>> = {
  spread: { value: 4, limit: 3 },
  member_scatter: { value: 3, limit: 2 },
  short_ruler: { value: 0, limit: 2 },
  blurred: { value: 3, limit: 2 },
  axes_angle: { value: 1, limit: 0 },
};
const whole = { value: 0, limit: 0 };

export function reviewReasonText(
  { kind, value, limit }: ReviewReason,
  say: Say,
  number: (value: number, decimals: number) => string,
): string {
  const digits = decimals[kind] ?? whole;
  const range = (kind === "no_score" ? vhs : vlas).valid;
  return say(`review.${kind}`, {
    value: number(value ?? 0, digits.value),
    limit: number(limit ?? 0, digits.limit),
    least: number(range.least, kind === "no_score" ? 0 : 1),
    most: number(range.most, 0),
  });
}
