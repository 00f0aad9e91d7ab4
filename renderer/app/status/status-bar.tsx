import { PersonButton } from "../sign-in/lock-screen.tsx";
import { useFilms } from "../../state/films/films.ts";
import { useProgram } from "../../state/program.ts";
import { Icon } from "../../ui/icon.tsx";
import { PackValidation } from "../../ui/pack-validation.tsx";
import { useText } from "../../ui/language/language.ts";
import { useAgreement } from "../../state/agreement/agreement.ts";
import { useNavigation } from "../../state/navigation.ts";
import { useChannel } from "../../state/queries.ts";
import { measures } from "../../../core/cardiac/measures/measures.ts";
import { useFormat } from "../../ui/language/format.ts";

export function StatusBar() {
  const text = useText();
  const { link, health } = useProgram();
  // Counts all films; the worklist may be filtered.
  const queued = useChannel("films.queue", {}).value?.filmIds.length;
  const measuring = useFilms(({ films }) => films?.filter(({ state }) => state === "measuring").length) ?? 0;
  return (
    <footer className="status-bar no-print" aria-label={text("common.status")}>
      <span className={link === "live" ? "" : "fault-text"}>
        <span className={`lamp ${link}`} aria-hidden="true" />
        {text(link === "live" ? "common.serviceLive" : "common.serviceOffline")}
      </span>
      {queued !== undefined && (
        <span>{queued + measuring > 0 ? text("common.queue", { queued, measuring }) : text("common.queueIdle")}</span>
      )}
      <PersonButton />
      <span className="spring" />
      <DriftButtons />
      {health && !health.hasNoPack && <span>{text("common.modelVersion", { version: health.modelVersion })}</span>}
      {health?.hasNoPack && (
        <span className="tier review">
          <Icon name="alert" />
          {text("common.noPack")}
        </span>
      )}
      {health && <PackValidation {...health} />}
    </footer>
  );
}

function DriftButtons() {
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
