import { attempt } from "../state/faults.ts";
import { useMay } from "../state/people.ts";
import { useSample } from "../state/upkeep/sample.ts";
import { useWelcome } from "../state/places/welcome.ts";
import { useAsking } from "../state/use-asked.ts";
import { Button } from "../ui/button.tsx";
import { useText } from "../ui/language/language.ts";

/** The first run once more, and the sample study. */
export function TryOut() {
  const text = useText();
  const mayRemove = useMay("administer");
  const { isLoaded, ask, load, remove } = useSample();
  const begin = useWelcome((state) => state.setStep);
  useAsking(ask);
  return (
    <section className="card stack">
      <h2>{text("sample.title")}</h2>
      <p className="quiet">{text("sample.about")}</p>
      <div className="row">
        {isLoaded ? (
          mayRemove && (
            <Button icon="trash" onClick={() => attempt(remove)}>
              {text("sample.remove")}
            </Button>
          )
        ) : (
          <Button icon="films" disabled={isLoaded === null} onClick={() => attempt(load)}>
            {text("sample.load")}
          </Button>
        )}
        {mayRemove && <Button onClick={() => begin("language")}>{text("welcome.again")}</Button>}
      </div>
    </section>
  );
}
