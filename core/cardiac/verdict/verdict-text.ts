import type { Say } from "../../language/say.ts";
import { vertebraName } from "../ruler/vertebra-name.ts";
import { shownDecimals } from "../shown-score.ts";
import type { FilmVerdict } from "./film-verdict.ts";

export function briefVerdictText(verdict: FilmVerdict, say: Say): string {
  if (verdict.grade === "placed") return say(`result.verdict_${verdict.how}`);
  return verdict.grade === "rejected" ? say("result.verdict_rejected") : say(`verdict.brief_${verdict.grade}`);
}

/** The verdict in one sentence, without a full stop. */
export function verdictText(
  verdict: FilmVerdict,
  say: Say,
  number: (value: number, decimals: number) => string,
): string {
  const score = (value: number) => number(value, shownDecimals);
  if (verdict.grade === "rejected") return rejectionText(verdict, say);
  if (verdict.grade === "placed") return placementText(verdict, say, score);
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
  return verdict.grade === "usable" ? say(`verdict.usable_${verdict.about}`) : say(`verdict.check_${verdict.about}`);
}

function rejectionText({ who, reason }: Extract<FilmVerdict, { grade: "rejected" }>, say: Say): string {
  const rejected = who ? say("handout.rejected", { who }) : say("result.verdict_rejected");
  return reason ? `${say("common.labelled", { label: rejected })} ${say(`result.rejection_${reason}`)}` : rejected;
}

function placementText(
  verdict: Extract<FilmVerdict, { grade: "placed" }>,
  say: Say,
  score: (value: number) => string,
): string {
  const { how, who, about } = verdict;
  const placed = who ? say(`handout.${how}`, { who }) : say(`result.verdict_${how}`);
  if (about === "nothing") return placed;
  if (about === "limit") return say("verdict.placed_limit", { placed, limit: score(verdict.limit) });
  return say(`verdict.placed_${about}`, { placed });
}
