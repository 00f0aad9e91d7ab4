import { DriftButtons } from "./drift-button.tsx";
import { PersonButton } from "../sign-in/lock-screen.tsx";
import { useFilms } from "../../state/films/films.ts";
import { useProgram } from "../../state/program.ts";
import { Icon } from "../../ui/icon.tsx";
import { PackValidation } from "../../ui/pack-validation.tsx";
import { useText } from "../../ui/language/language.ts";

export function StatusBar() {
  const text = useText();
  const { link, health } = useProgram();
  const films = useFilms((state) => state.films) ?? [];
  const queued = films.filter(({ state }) => state === "queued").length;
  const measuring = films.filter(({ state }) => state === "measuring").length;
  return (
    <footer className="status-bar no-print" aria-label={text("common.status")}>
      <span className={link === "live" ? "" : "fault-text"}>
        <span className={`lamp ${link}`} aria-hidden="true" />
        {text(link === "live" ? "common.serviceLive" : "common.serviceOffline")}
      </span>
      <span>{queued + measuring > 0 ? text("common.queue", { queued, measuring }) : text("common.queueIdle")}</span>
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
