import { annotationColour } from "../../../core/annotations/annotation-style.ts";
import type { ForeignMark, ForeignMarks as MarksOfOne } from "../../../core/contract/desktop/network/marks.ts";
import { useText } from "../../ui/language/language.ts";
import { mapped, type Matrix, type Size } from "../view.ts";
import { MarkLabel, MarkLine } from "./annotation-mark.tsx";

type Props = { readonly sets: readonly MarksOfOne[]; readonly matrix: Matrix; readonly stage: Size };

/** Read-only marks of other programs. `matrix` maps the film's pixels to the stage. */
export function ForeignMarks({ sets, matrix, stage }: Props) {
  const text = useText();
  return (
    <svg
      className="annotations foreign-marks"
      width={stage.widthPx}
      height={stage.heightPx}
      style={{ "--mark": annotationColour } as React.CSSProperties}
      role="img"
      aria-label={text("viewer.foreignMarks")}
      data-testid="foreign-marks"
    >
      {sets.flatMap(({ sopInstanceUid, marks }) =>
        marks.map((mark, index) => <Mark key={`${sopInstanceUid} ${index}`} {...{ mark, matrix, stage }} />),
      )}
    </svg>
  );
}

function Mark({ mark, matrix, stage }: Omit<Props, "sets"> & { readonly mark: ForeignMark }) {
  const points = mark.points.map((point) => mapped(matrix, point));
  const [first] = points;
  if (!first) return null;
  if (mark.text !== null) return <MarkLabel label={mark.text} at={first} from={null} stage={stage} />;
  if (points.length === 1) return <circle cx={first.x} cy={first.y} r={3} />;
  return (
    <g className="mark annotation">
      <MarkLine line={points} />
    </g>
  );
}
