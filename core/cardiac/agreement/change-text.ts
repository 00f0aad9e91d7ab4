import type { Say } from "../../language/say.ts";
import { signedNumber } from "../../language/signed-number.ts";
import { shownDecimals } from "../shown-score.ts";
import type { Change } from "./change.ts";

type Words = { readonly say: Say; number(value: number, decimals: number): string };

/** A change with its unit and whether it is noise: `+0.3 v, within noise of ±0.9 v`. */
export function changeText(change: Change, { say, number }: Words): string {
  const noise = noiseText(change, { say, number });
  return [`${signedNumber(change.change, shownDecimals, number)} ${say("result.unit")}`, noise]
    .filter(Boolean)
    .join(", ");
}

/** A change with its unit and whether it is noise, without the limit: `+0.3 v, within noise`. */
export function briefChangeText(change: Change, words: Words): string {
  const { isBeyondNoise } = change;
  const bare = changeText({ ...change, limit: null }, words);
  return isBeyondNoise === null
    ? bare
    : `${bare}, ${words.say(isBeyondNoise ? "change.beyondBrief" : "change.withinBrief")}`;
}

/** Text on whether a change is noise, with the limit and its source; empty if the error of a film is unknown. */
export function noiseText({ limit, isBeyondNoise, pairs }: Change, { say, number }: Words): string {
  if (limit === null) return "";
  const noise = say(isBeyondNoise ? "change.beyond" : "change.within", { limit: number(limit, shownDecimals) });
  return pairs === null ? noise : say("change.fromPairs", { noise, count: pairs });
}
