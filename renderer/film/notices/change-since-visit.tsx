import { briefChangeText, changeText } from "../../../core/cardiac/agreement/change-text.ts";
import type { Film } from "../../../core/contract/desktop/films.ts";
import { useReaderMode } from "../../state/films/reader-mode.ts";
import { useFormat } from "../../ui/language/format.ts";
import { useText } from "../../ui/language/language.ts";

/** Change of VHS since the previous visit and whether it exceeds noise; empty on a first visit and in reader mode. */
export function ChangeSinceVisit({
  film: { vhsChange },
  isBrief = false,
}: {
  readonly film: Film;
  /** Shows the date and the limit only in the tooltip. */
  readonly isBrief?: boolean;
}) {
  const text = useText();
  const format = useFormat();
  const isReader = useReaderMode((mode) => mode.isOn);
  if (!vhsChange || isReader) return null;
  const words = { say: text, number: format.number };
  const change = changeText(vhsChange, words);
  const long = `VHS ${text("change.since", { change, date: format.day(vhsChange.since) })}`;
  return (
    <span
      className={`fine ${vhsChange.isBeyondNoise ? "beyond-noise" : "quiet"}`}
      title={isBrief ? long : text("change.about")}
      data-testid="change-since-visit"
    >
      {isBrief ? briefChangeText(vhsChange, words) : long}
    </span>
  );
}
