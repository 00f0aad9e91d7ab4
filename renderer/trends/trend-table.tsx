import { shownMeasures } from "../../core/cardiac/measures/read-measures.ts";
import type { Patient, TrendPoint } from "../../core/contract/desktop/patients.ts";
import { useFilmVerdict } from "../film/use-film-verdict.ts";
import { showFilm } from "../state/films/show-film.ts";
import { Button } from "../ui/button.tsx";
import { useFormat } from "../ui/language/format.ts";
import { useText } from "../ui/language/language.ts";
import { Table } from "../ui/table.tsx";
import { VerdictMark } from "../ui/verdict-mark.tsx";
import { useTrends } from "./trends-slice.ts";

export function TrendTable({ points, patient }: { readonly points: readonly TrendPoint[]; readonly patient: Patient }) {
  const text = useText();
  const format = useFormat();
  const { marked, mark, compare } = useTrends();
  const verdictOf = useFilmVerdict({ patient, dicom: null });
  const shown = shownMeasures(...points);
  return (
    <section className="stack">
      <div className="page-head">
        <h2>{text("trends.table")}</h2>
        <div className="row no-print">
          {marked.length < 2 && <span className="quiet">{text("trends.compareHint")}</span>}
          <Button icon="compare" className="compare-films" disabled={marked.length < 2} onClick={() => compare(true)}>
            {text("trends.compareFilms")}
          </Button>
        </div>
      </div>
      <Table
        heads={[
          { hidden: text("trends.compare"), className: "no-print" },
          text("films.takenAt"),
          ...shown.map(({ label }) => ({ number: `${label} (${text("result.unit")})` })),
          text("verdict.title"),
          text("trends.source"),
          { hidden: text("trends.open"), className: "no-print" },
        ]}
      >
        {[...points].reverse().map((point, index) => {
          const { filmId } = point;
          const verdict = verdictOf(point.facts);
          return (
            <tr key={filmId ?? `${point.at}-${index}`}>
              <td className="no-print">
                {filmId && (
                  <input
                    type="checkbox"
                    aria-label={text("trends.comparePick", { date: format.day(point.at) })}
                    checked={marked.includes(filmId)}
                    onChange={() => mark(filmId)}
                  />
                )}
              </td>
              <td className="data">{format.day(point.at)}</td>
              {shown.map(({ name }) => (
                <ScoreCell key={name} value={point[name] ?? null} original={point.original?.[name] ?? null} />
              ))}
              <td>{verdict ? <VerdictMark verdict={verdict} /> : "—"}</td>
              <td>
                {text(`trends.source_${point.source}`)}
                {point.who && <span className="quiet">, {point.who}</span>}
                {point.pack && <PackOfPoint pack={point.pack} />}
              </td>
              <td className="number no-print">
                {filmId && (
                  <Button tone="plain" onClick={() => showFilm(filmId)}>
                    {text("trends.open")}
                  </Button>
                )}
              </td>
            </tr>
          );
        })}
      </Table>
    </section>
  );
}

function PackOfPoint({ pack: { pack, packVersion, packReleasedBy, packPublisher } }: PackOfPointProps) {
  const text = useText();
  const released =
    packReleasedBy && packPublisher
      ? `, ${text("settings.packReleased", { person: packReleasedBy, publisher: packPublisher })}`
      : "";
  return <span className="quiet fine pack-of-point">{`${pack} ${packVersion}${released}`}</span>;
}

type PackOfPointProps = { readonly pack: NonNullable<TrendPoint["pack"]> };

function ScoreCell({ value, original }: { readonly value: number | null; readonly original: number | null }) {
  const text = useText();
  const format = useFormat();
  return (
    <td className="number">
      {original !== null && format.score(original) !== format.score(value) && (
        <s className="quiet original-score" title={text("result.original")}>
          {format.score(original)}
        </s>
      )}
      {format.score(value)}
    </td>
  );
}
