import type { Reading } from "../../../core/contract/desktop/readings.ts";
import type { AxisEnds } from "../../../core/cardiac/landmarks.ts";
import { measures } from "../../../core/cardiac/measures/measures.ts";
import { distancePx, type PictureSize, type Point } from "../../../core/cardiac/points.ts";
import { jepsenGrant } from "../../../core/cardiac/reference/published-ranges.ts";
import { extendsBeyondRuler } from "../../../core/cardiac/ruler/vertebral-ruler.ts";
import { vertebraName } from "../../../core/cardiac/ruler/vertebra-name.ts";
import { shownAngles, shownAxes } from "../../../core/cardiac/shown-score.ts";
import { edgesOutsideText } from "../../../core/cardiac/drawing/within-picture.ts";
import { isPlacedByPerson } from "../../../core/cardiac/agreement/placed-by-person.ts";
import type { LineLengths } from "../../film/spacing/spacing.ts";
import { useSpacingText } from "../../film/spacing/use-spacing-text.ts";
import { FactList } from "../../ui/facts.tsx";
import { useFormat } from "../../ui/language/format.ts";
import { useShownKeys } from "../../ui/keys/keys.tsx";
import { useText } from "../../ui/language/language.ts";

type FactsProps = {
  readonly score: Reading["score"];
  /** Ends of the axes as drawn [px]; null without axes. */
  readonly heart: AxisEnds | null;
  readonly ruler: (Pick<NonNullable<Reading["ruler"]>, "kind"> & { readonly edges: readonly Point[] }) | null;
  /** Size of the film that the ruler's points refer to [px]. */
  readonly frame: PictureSize | null;
  readonly reading: Reading | null;
  /** null if the film has no pixel spacing. */
  readonly lengths: LineLengths | null;
};

export function Facts(props: FactsProps) {
  const text = useText();
  const spacingText = useSpacingText();
  const rows = useRows(props);
  const { lengths, ruler, frame } = props;
  const outside = ruler && frame ? edgesOutsideText(ruler.edges, frame, text) : null;
  if (rows.length === 0) return null;
  return (
    <div className="stack">
      <FactList facts={rows} />
      {outside && <p className="quiet fine">{outside}</p>}
      <ShortRuler {...props} />
      <UncertainT4 reading={props.reading} />
      <UnevenVertebrae reading={props.reading} />
      {lengths && props.score && (
        <p className="quiet fine">
          {text(`result.mm_${lengths.spacing.kind}`, { spacing: spacingText(lengths.spacing) })}
        </p>
      )}
    </div>
  );
}

function ShortRuler({ heart, ruler, reading }: FactsProps) {
  const text = useText();
  if (!heart || !ruler || (reading && !isPlacedByPerson(reading))) return null;
  const { heart_top: base, heart_bottom: apex, heart_right: one, heart_left: other } = heart;
  const axisPx = Math.max(distancePx(base, apex), distancePx(one, other));
  return extendsBeyondRuler(axisPx, ruler) && <p className="quiet fine">{text("result.axisBeyondRuler")}</p>;
}

function UncertainT4({ reading }: Pick<FactsProps, "reading">) {
  const text = useText();
  const cranialKeys = useShownKeys("correct.shiftCranial");
  const caudalKeys = useShownKeys("correct.shiftCaudal");
  const direction = reading?.otherCount?.direction;
  if (!direction) return null;
  const keys = direction === "cranial" ? cranialKeys : caudalKeys;
  return (
    <p className="quiet fine" data-testid="t4-uncertain">
      {text(`viewer.t4Uncertain_${direction}`, { keys })}
    </p>
  );
}

function UnevenVertebrae({ reading }: Pick<FactsProps, "reading">) {
  const text = useText();
  const format = useFormat();
  return reading?.uneven?.map(({ index, share }) => (
    <p key={index} className="quiet fine" data-testid="uneven-vertebra">
      {text("viewer.unevenVertebra", {
        vertebra: vertebraName(index),
        percent: format.number(100 * share, 0),
        source: jepsenGrant.citation,
      })}
    </p>
  ));
}

function useRows({ score, heart, ruler, lengths }: FactsProps): readonly (readonly [name: string, value: string])[] {
  const text = useText();
  const format = useFormat();
  const vertebrae = ruler ? ruler.edges.length - 1 : 0;
  const axes = score && shownAxes(score);
  const length = (spanned: number | null | undefined, mm: number | null | undefined) =>
    spanned
      ? [`${format.score(spanned)} ${text("result.unit")}`, ...(mm ? [`${format.number(mm, 1)} mm`] : [])].join(" · ")
      : null;
  const rows: readonly (readonly [string, string | null])[] = [
    [text("result.longAxis"), length(axes?.long, lengths?.longMm)],
    [text("result.shortAxis"), length(axes?.short, lengths?.shortMm)],
    ...measures.map(({ name, line }) => {
      const mm = line && lengths?.measuresMm[name];
      return [line ? text(`viewer.point_${line.point}`) : "", mm ? length(score?.[name], mm) : null] as const;
    }),
    [
      text("result.axesAngle"),
      score && heart && angleText(shownAngles(heart, score), score.areAxesPerpendicular, text),
    ],
    [
      text("result.ruler"),
      ruler &&
        (ruler.kind === "fallback"
          ? text("result.ruler_fallback")
          : text("result.ruler_detected", { count: vertebrae, last: vertebraName(vertebrae - 1) })),
    ],
  ];
  return rows.filter((row): row is readonly [string, string] => row[1] !== null);
}

function angleText(
  { drawn, voted }: ReturnType<typeof shownAngles>,
  arePerpendicular: boolean,
  text: ReturnType<typeof useText>,
): string {
  const angle = voted === null ? `${drawn}°` : text("result.votedAngle", { drawn: `${drawn}`, voted: `${voted}` });
  return arePerpendicular ? angle : `${angle}, ${text("result.notPerpendicular")}`;
}
