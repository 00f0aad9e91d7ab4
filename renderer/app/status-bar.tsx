import { useFilms } from "../state/films.ts";
import { useProgram } from "../state/program.ts";
import { Icon } from "../ui/icon.tsx";
import { useText } from "../ui/language.ts";
import { commonMessages } from "../ui/messages/common.ts";

/** One quiet line: link to the program, queue, model version, and what nobody may overlook. */
export function StatusBar() {
  const text = useText();
  const { link, health } = useProgram();
  const films = useFilms((state) => state.films) ?? [];
  const queued = films.filter(({ state }) => state === "queued").length;
  const measuring = films.filter(({ state }) => state === "measuring").length;
  return (
    <footer className="status-bar no-print" aria-label={text(commonMessages.status)}>
      <span className={link === "live" ? "" : "fault-text"}>
        <span className={`lamp ${link}`} aria-hidden="true" />
        {text(link === "live" ? commonMessages.serviceLive : commonMessages.serviceOffline)}
      </span>
      <span>
        {queued + measuring > 0 ? text(commonMessages.queue, { queued, measuring }) : text(commonMessages.queueIdle)}
      </span>
      <span className="spring" />
      {health && <span className="data">{health.modelVersion}</span>}
      {health?.hasNoPack && (
        <span className="tier review">
          <Icon name="alert" />
          {text(commonMessages.noPack)}
        </span>
      )}
      {health && !health.isClinicallyValidated && (
        <span className="tier review">{text(commonMessages.notValidated)}</span>
      )}
    </footer>
  );
}
