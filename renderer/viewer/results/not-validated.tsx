import { isClinicallyValidated, reportedReadings } from "../../../core/cardiac/agreement/reported-readings.ts";
import type { Reading } from "../../../core/contract/desktop/readings.ts";
import { useProgram } from "../../state/program.ts";
import { Icon } from "../../ui/icon.tsx";
import { useText } from "../../ui/language/language.ts";
import { useCorrection } from "../correction/correction-slice.ts";

/** As in the report, depends on the packs that measured the film; without a result, on the active pack. */
export function NotValidated({
  reading,
  original,
}: {
  readonly reading: Reading | null;
  readonly original: Reading | null;
}) {
  const text = useText();
  const isByHand = useCorrection((state) => state.mode === "by_hand");
  const isPackValidated = useProgram(({ health }) => health && health.release !== null);
  const readings = reportedReadings([original, reading].flatMap((one) => one ?? []));
  const isValidated = reading ? isClinicallyValidated({ readings }) : isPackValidated === true;
  if (isValidated && !isByHand) return null;
  return (
    <div className={`not-validated${isPackValidated === false ? " print-only" : ""}`}>
      <Icon name="alert" />
      {text("common.notValidated")}
    </div>
  );
}
