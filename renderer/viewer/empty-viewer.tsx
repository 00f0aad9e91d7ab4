import { attempt } from "../state/faults.ts";
import { useFilms } from "../state/films/films.ts";
import { useMay } from "../state/people.ts";
import { useProgram } from "../state/program.ts";
import { loadSample } from "../state/upkeep/sample.ts";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { Keys } from "../ui/keys/keys.tsx";
import { runCommand } from "../ui/keys/shortcuts.ts";
import { useText } from "../ui/language/language.ts";

export function EmptyViewer() {
  const text = useText();
  const isMeasured = useProgram(({ health, settings }) => health?.hasNoPack === false && settings?.measuresOnArrival);
  const hasNoFilms = useFilms((state) => state.films?.length === 0);
  const mayPrepare = useMay("prepare");
  return (
    <section className="stage-cover viewer-empty" data-theme="dark" aria-label={text("viewer.viewer")}>
      <Empty icon="films" title={text("films.emptyTitle")}>
        <p>
          {text("films.emptyText")} {isMeasured && text("films.emptyMeasured")}
        </p>
        <div className="row">
          <Button icon="open" onClick={() => runCommand("films.open")}>
            {text("films.openFiles")}
          </Button>
          {hasNoFilms && mayPrepare && (
            <Button icon="films" onClick={() => attempt(loadSample)}>
              {text("sample.load")}
            </Button>
          )}
        </div>
        <p>
          {text("films.emptyPaste")} <Keys keys="Mod+V" />
        </p>
      </Empty>
    </section>
  );
}
