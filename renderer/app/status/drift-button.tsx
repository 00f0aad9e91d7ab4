import { useAgreement } from "../../state/agreement/agreement.ts";
import { useNavigation } from "../../state/navigation.ts";
import { useChannel } from "../../state/queries.ts";
import { measures } from "../../../core/cardiac/measures/measures.ts";
import { Icon } from "../../ui/icon.tsx";
import { useFormat } from "../../ui/language/format.ts";
import { useText } from "../../ui/language/language.ts";

export function DriftButtons() {
  const text = useText();
  const format = useFormat();
  const drifts = useChannel("agreement.drift", {}).value?.drifts ?? [];
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
