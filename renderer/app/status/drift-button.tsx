import { useAgreement } from "../../state/agreement/agreement.ts";
import { useDrift } from "../../state/agreement/drift.ts";
import { useNavigation } from "../../state/navigation.ts";
import { measures } from "../../../core/cardiac/measures/measures.ts";
import { Icon } from "../../ui/icon.tsx";
import { useFormat } from "../../ui/language/format.ts";
import { useText } from "../../ui/language/language.ts";

/** Says in the status bar that the networks have drifted off from this practice's readings; opens the comparison. */
export function DriftButtons() {
  const text = useText();
  const format = useFormat();
  const drifts = useDrift((state) => state.drifts);
  const go = useNavigation((state) => state.go);
  return drifts.map(({ measure, bias, count }) => {
    const said = {
      score: measures.find(({ name }) => name === measure)?.label ?? measure,
      bias: format.number(Math.abs(bias), 2),
      count,
    };
    return (
      <button
        key={measure}
        type="button"
        className="status-button tier review"
        title={text("agreement.driftHint", said)}
        onClick={() => {
          useAgreement.getState().showAll(measure);
          go("agreement");
        }}
      >
        <Icon name="alert" />
        {text(bias > 0 ? "agreement.driftHigh" : "agreement.driftLow", said)}
      </button>
    );
  });
}
