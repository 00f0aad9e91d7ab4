import "./welcome.css";
import { useEffect } from "react";
import { attempt } from "../state/faults.ts";
import { useFilms } from "../state/films/films.ts";
import { useMay } from "../state/people.ts";
import { useProgram } from "../state/program.ts";
import { useWelcome, welcomeSteps, type WelcomeStep } from "../state/places/welcome.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { useText } from "../ui/language/language.ts";
import { DataStep } from "./data-step.tsx";
import { DevicesStep } from "./devices-step.tsx";
import { LanguageStep } from "./language-step.tsx";
import { PeopleStep } from "./people-step.tsx";
import { PracticeStep } from "./practice-step.tsx";
import { SampleStep } from "./sample-step.tsx";

/** The first run: six short steps, each of which can be left out and is in the settings, too. */
export function Welcome() {
  const text = useText();
  const { step, setStep } = useWelcome();
  useFirstRun();
  if (step === null) return null;
  const at = welcomeSteps.indexOf(step);
  const next = welcomeSteps[at + 1];
  const before = welcomeSteps[at - 1];
  const end = () => {
    setStep(null);
    attempt(() => useProgram.getState().save({ isSetUp: true }));
  };
  return (
    <Dialog
      isOpen
      onClose={end}
      isWide
      title={text("welcome.title")}
      description={text("welcome.place", { step: at + 1, steps: welcomeSteps.length })}
      foot={
        <>
          {next && (
            <Button tone="plain" onClick={end}>
              {text("welcome.leave")}
            </Button>
          )}
          <span className="spring" />
          {before && <Button onClick={() => setStep(before)}>{text("welcome.back")}</Button>}
          <Button tone="primary" onClick={() => (next ? setStep(next) : end())}>
            {text(next ? "welcome.next" : "welcome.finish")}
          </Button>
        </>
      }
    >
      <ol className="welcome-steps" aria-label={text("welcome.steps")}>
        {welcomeSteps.map((each) => (
          <li key={each} aria-current={each === step ? "step" : undefined}>
            {text(`welcome.${each}`)}
          </li>
        ))}
      </ol>
      <section className="stack welcome-step" aria-label={text(`welcome.${step}`)}>
        {contentOf(step)}
      </section>
    </Dialog>
  );
}

/** Opens automatically before the first use, for users who may set up the program. */
function useFirstRun(): void {
  const isSetUp = useProgram((state) => state.settings?.isSetUp ?? true);
  const hasFilms = useFilms((state) => state.films === null || state.films.length > 0);
  const mayAdminister = useMay("administer");
  const isDue = !isSetUp && !hasFilms && mayAdminister;
  useEffect(() => {
    if (isDue && useWelcome.getState().step === null) useWelcome.getState().setStep("language");
  }, [isDue]);
}

function contentOf(step: WelcomeStep) {
  switch (step) {
    case "language":
      return <LanguageStep />;
    case "practice":
      return <PracticeStep />;
    case "data":
      return <DataStep />;
    case "people":
      return <PeopleStep />;
    case "devices":
      return <DevicesStep />;
    case "sample":
      return <SampleStep />;
  }
}
