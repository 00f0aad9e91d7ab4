import { spacingOf } from "../../film/spacing/spacing.ts";
import { useOpenFilm } from "../../state/films/films.ts";
import { useFormat } from "../../ui/language/format.ts";
import { useText } from "../../ui/language/language.ts";
import { sampleAt, useProbe, type Sample } from "./probe-slice.ts";
import { useViewer } from "../viewer-slice.ts";

export function ViewReadout() {
  const text = useText();
  const format = useFormat();
  const { window: grey, view, pixels } = useViewer();
  if (!pixels) return null;
  return (
    <div className="readout data" aria-hidden="true">
      <span>
        {text("viewer.windowReadout", {
          width: format.number(grey.width * pixels.most, 0),
          centre: format.number(grey.centre * pixels.most, 0),
        })}
      </span>
      <span>
        {text("viewer.zoomReadout", { percent: format.number(view.zoom * window.devicePixelRatio * 100, 0) })}
      </span>
      <span>
        {pixels.widthPx} × {pixels.heightPx} px
      </span>
    </div>
  );
}

/** Value and position of the pixel under the pointer or crosshair. Screen readers announce only the crosshair's. */
export function PixelReadout() {
  const text = useText();
  const format = useFormat();
  const sampleText = useSampleText();
  const { at, hasCrosshair } = useProbe();
  const pixels = useViewer((state) => state.pixels);
  const film = useOpenFilm();
  const spacing = film && spacingOf(film);
  const spoken = hasCrosshair ? { role: "status" } : { "aria-hidden": true };
  return (
    <div className="pixel-readout data" {...spoken} data-testid="pixel-readout">
      {at && pixels && (
        <>
          <span>
            {`x ${format.number(at.x, 0)}  y ${format.number(at.y, 0)} px`}{" "}
            <strong>{sampleText(sampleAt(pixels, at))}</strong>
          </span>
          {spacing && (
            <span>
              {text("viewer.placeMm", {
                x: format.number(at.x * spacing.columnMm, 1),
                y: format.number(at.y * spacing.rowMm, 1),
                where: text(`studies.spacing_${spacing.kind}`),
              })}
            </span>
          )}
        </>
      )}
    </div>
  );
}

/** Units that the standard encodes; others are shown as written in the file. @see DICOM PS3.3 C.11.1.1.2 */
const units: Readonly<Record<string, string>> = { OD: "10⁻³ OD", MGML: "mg/ml", PCT: "%" };

function useSampleText(): (sample: Sample) => string {
  const text = useText();
  const format = useFormat();
  return (sample) => {
    if (sample.kind === "grey")
      return text("viewer.greyOf", { grey: format.number(sample.grey, 0), most: format.number(sample.most, 0) });
    const value = format.number(sample.value, sample.digits);
    return sample.unit === null
      ? text("viewer.valueWithoutUnit", { value })
      : `${value} ${units[sample.unit] ?? sample.unit}`;
  };
}
