import { useEffect, useState } from "react";
import { shownMeasures } from "../../core/cardiac/measures/read-measures.ts";
import type { Film, Reading } from "../../core/contract/desktop/films.ts";
import { call } from "../state/connection.ts";
import { attempt } from "../state/faults.ts";
import { Button } from "../ui/button.tsx";
import { Loading } from "../ui/empty.tsx";
import { useFormat } from "../ui/language/format.ts";
import { useText } from "../ui/language/language.ts";
import { wholeRange } from "../film/window-level.ts";
import { ComparedFilm, type Linked } from "./compared-film.tsx";
import { useTrends } from "./trends-slice.ts";

/** A film with the reading that counts. */
type Side = { readonly film: Film; readonly reading: Reading | null };

/** Two films side by side with what changed between them. */
export function Comparison() {
  const text = useText();
  const marked = useTrends((state) => state.marked);
  const compare = useTrends((state) => state.compare);
  const [sides, setSides] = useState<readonly Side[] | null>(null);
  const [linked, setLinked] = useState<Linked>({ zoom: 1, window: wholeRange });
  useEffect(() => attempt(async () => setSides(await Promise.all(marked.map(sideOf)))), [marked]);
  if (!sides || sides.length !== 2) return <Loading label={text("common.loading")} />;
  const [earlier, later] = [...sides].sort((a, b) => a.film.takenAt.localeCompare(b.film.takenAt)) as [Side, Side];
  return (
    <section className="comparison" aria-label={text("trends.compareTwo")}>
      <header className="page-head comparison-head">
        <Differences earlier={earlier} later={later} />
        <Button tone="plain" onClick={() => compare(false)}>
          {text("common.close")}
        </Button>
      </header>
      <div className="compared">
        <ComparedFilm title={text("trends.earlier")} {...earlier} linked={linked} onLink={setLinked} />
        <ComparedFilm title={text("trends.later")} {...later} linked={linked} onLink={setLinked} />
      </div>
      <p className="quiet fine comparison-foot">{text("trends.linked")}</p>
    </section>
  );
}

async function sideOf(filmId: string): Promise<Side> {
  const { film, readings } = await call("films.get", { filmId });
  return { film, reading: readings.at(-1) ?? null };
}

function Differences({ earlier, later }: { readonly earlier: Side; readonly later: Side }) {
  const text = useText();
  const format = useFormat();
  const days = Math.round((Date.parse(later.film.takenAt) - Date.parse(earlier.film.takenAt)) / 86_400_000);
  return (
    <div className="row" data-testid="differences">
      <h1>{text("trends.change")}</h1>
      {shownMeasures(earlier.reading?.score ?? {}, later.reading?.score ?? {}).map(({ name, label }) => {
        const before = earlier.reading?.score?.[name] ?? null;
        const after = later.reading?.score?.[name] ?? null;
        return (
          <span key={name} className="difference">
            <span className="quiet">{label}</span>
            <span className="data">
              {format.score(before)} → {format.score(after)}
            </span>
            {before !== null && after !== null && (
              <strong className="data">
                {format.scoreChange(before, after)} {text("result.unit")}
              </strong>
            )}
          </span>
        );
      })}
      <span className="quiet">{text("trends.between", { days })}</span>
    </div>
  );
}
