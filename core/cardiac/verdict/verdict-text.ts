import type { Say } from "../../language/say.ts";
import { vertebraName } from "../ruler/vertebra-name.ts";
import { shownDecimals } from "../shown-score.ts";
import type { FilmVerdict } from "./film-verdict.ts";

/** The verdict in one word, for narrow columns. */
export function briefVerdictText(verdict: FilmVerdict, say: Say): string {
  return say(`verdict.brief_${verdict.grade}`);
}

/**
 * The verdict in one sentence, without a full stop.
 *
 * @param number  writes a number with so many decimals as the language does
 */
export function verdictText(
  verdict: FilmVerdict,
  say: Say,
  number: (value: number, decimals: number) => string,
): string {
  const score = (value: number) => number(value, shownDecimals);
  if (verdict.grade === "reliable") return say("verdict.brief_reliable");
  if (verdict.grade === "unusable") return say(`verdict.unusable_${verdict.about}`);
  if (verdict.about === "point")
    return say(`verdict.${verdict.grade}_point`, { point: say(`verdict.point_${verdict.point}`) });
  if (verdict.about === "limit") return say("verdict.usable_limit", { limit: score(verdict.limit) });
  if (verdict.about === "vertebra")
    return say("verdict.check_vertebra", {
      vertebra: vertebraName(verdict.index),
      percent: number(100 * verdict.share, 0),
    });
  if (verdict.about === "t4")
    return say("verdict.check_t4", { vhs: score(verdict.vhs), other: score(verdict.otherVhs) });
  return verdict.grade === "usable" ? say("verdict.usable_marks") : say(`verdict.check_${verdict.about}`);
}
