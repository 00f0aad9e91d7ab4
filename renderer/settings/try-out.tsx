import { attempt } from "../state/faults.ts";
import { usePermission } from "../state/people.ts";
import { loadSample, removeSample, useIsSampleLoaded } from "../state/upkeep/sample.ts";
import { Button } from "../ui/button.tsx";
import { useText } from "../ui/language/language.ts";

export function TryOut() {
  const text = useText();
  const mayRemove = usePermission("administer");
  const isLoaded = useIsSampleLoaded();
  return (
    <section className="card stack">
      <h2>{text("sample.title")}</h2>
      <p className="quiet">{text("sample.about")}</p>
      <div className="row">
        {isLoaded ? (
          mayRemove && (
            <Button icon="trash" onClick={() => attempt(removeSample)}>
              {text("sample.remove")}
            </Button>
          )
        ) : (
          <Button icon="films" disabled={isLoaded === null} onClick={() => attempt(loadSample)}>
            {text("sample.load")}
          </Button>
        )}
      </div>
    </section>
  );
}
