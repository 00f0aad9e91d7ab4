import { attempt } from "../state/faults.ts";
import { loadSample, useIsSampleLoaded } from "../state/upkeep/sample.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/empty.tsx";
import { useText } from "../ui/language/language.ts";

/** Two simulated films for trying the program, and its limits. */
export function SampleStep() {
  const text = useText();
  const isLoaded = useIsSampleLoaded();
  return (
    <>
      <p>{text("sample.about")}</p>
      <div className="row">
        {isLoaded ? (
          <span role="status">{text("sample.isLoaded")}</span>
        ) : (
          <Button icon="films" disabled={isLoaded === null} onClick={() => attempt(loadSample)}>
            {text("sample.load")}
          </Button>
        )}
      </div>
      <Notice tone="review">{text("settings.honest")}</Notice>
    </>
  );
}
