import { roundLength, type FilmScale } from "../../../core/annotations/film-scale.ts";
import { useFormat } from "../../ui/language/format.ts";
import { inverted, type Matrix } from "../view.ts";
import { useScaleText } from "./use-film-scale.ts";

/** Maximum length of the bar, and of a brief bar, for smaller films [CSS px]. */
const maxPx = 160;
const maxBriefPx = 90;

/** @param matrix  from film pixels to the stage */
export function ScaleBar({
  scale,
  matrix,
  isBrief = false,
}: {
  readonly scale: FilmScale | null;
  readonly matrix: Matrix;
  /** Shows the source of the scale in a tooltip instead of in the bar. */
  readonly isBrief?: boolean;
}) {
  const format = useFormat();
  const scaleText = useScaleText();
  const { a, b } = inverted(matrix);
  const unitsPerPx = scale ? Math.hypot(a * scale.columnMm, b * scale.rowMm) : Math.hypot(a, b);
  const length = roundLength((isBrief ? maxBriefPx : maxPx) * unitsPerPx);
  const widthPx = length / unitsPerPx;
  const digits = length < 1 ? Math.min(4, Math.ceil(-Math.log10(length))) : 0;
  return (
    <div className="scale-bar data" data-testid="scale-bar" title={isBrief ? scaleText(scale) : undefined}>
      <strong>
        {format.number(length, digits)} {scale ? "mm" : "px"}
      </strong>
      <svg width={widthPx + 2} height={9} aria-hidden="true">
        <path className="halo" d={`M1 1V8M1 4.5H${widthPx + 1}M${widthPx + 1} 1V8`} />
        <path d={`M1 1V8M1 4.5H${widthPx + 1}M${widthPx + 1} 1V8`} />
      </svg>
      {!isBrief && <span className="scale-kind">{scaleText(scale)}</span>}
    </div>
  );
}
