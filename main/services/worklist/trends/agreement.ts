import { keyOfPack, recentBias, watchedPairs } from "../../../../core/cardiac/agreement/agreement.ts";
import { measures } from "../../../../core/cardiac/measures/measures.ts";
import type { DesktopParsedRequest, DesktopResponse } from "../../../../core/contract/desktop.ts";
import { dayMs } from "../../../../core/durations.ts";
import {
  listDecidedValues,
  listNewestIndependentValues,
  type DecidedValues,
} from "../../../store/films/decided-values.ts";
import type { DesktopContext } from "../../desktop/desktop-context.ts";

type Filter = DesktopParsedRequest<"agreement.get">;
type Answer = DesktopResponse<"agreement.get">;
type Pair = Answer["pairs"][number];

export async function getAgreement({ db, now }: Pick<DesktopContext, "db" | "now">, filter: Filter): Promise<Answer> {
  const decided = await listDecidedValues(db, filter.measure);
  const all = decided.map(toPair);
  const ofReader = decided.filter(({ who }) => filter.reader === undefined || who === filter.reader).map(toPair);
  const since = filter.days === undefined ? -Infinity : now().getTime() - filter.days * dayMs;
  const wanted = filter.pack && keyOfPack(filter.pack);
  const isMeant = ({ at, pack, tier, species }: Pair) =>
    Date.parse(at) >= since &&
    (wanted === undefined || (pack !== null && keyOfPack(pack) === wanted)) &&
    (filter.tier === undefined || tier === filter.tier) &&
    (filter.species === undefined || species === filter.species);
  const packs = new Map(all.flatMap(({ pack }) => (pack ? [[keyOfPack(pack), pack] as const] : [])));
  return {
    pairs: ofReader.filter(isMeant),
    packs: [...packs.values()].reverse(),
    readers: [...new Set(decided.flatMap(({ who }) => who ?? []))].sort(),
    total: all.length,
  };
}

/** Lists measures with a significant bias in recent independent readings. */
export async function listDrifts({ db }: Pick<DesktopContext, "db">): Promise<DesktopResponse<"agreement.drift">> {
  const drifts: DesktopResponse<"agreement.drift">["drifts"] = [];
  for (const { name } of measures) {
    const recent = recentBias(await listNewestIndependentValues(db, name, watchedPairs), name);
    if (recent?.isOutside) drifts.push({ measure: name, count: recent.count, bias: recent.bias });
  }
  return { drifts };
}

/** An accepted reading whose value differs from the networks' counts as corrected: it was corrected before. */
function toPair(decided: DecidedValues): Pair {
  const { filmId, atMs, network, person, verdict, isIndependent, tier, species, packName, packVersion } = decided;
  const isOwn = network === person;
  const seen = verdict === "accepted" && !isOwn ? "corrected" : verdict;
  return {
    filmId,
    at: new Date(atMs).toISOString(),
    network,
    person,
    tier,
    species,
    decision: isIndependent ? "independent" : seen,
    pack: packName === null || packVersion === null ? null : { name: packName, version: packVersion },
  };
}
