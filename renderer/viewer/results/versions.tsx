import { shownMeasures } from "../../../core/cardiac/measures/read-measures.ts";
import type { Film } from "../../../core/contract/desktop/films.ts";
import type { Reading } from "../../../core/contract/desktop/readings.ts";
import { useFilms } from "../../state/films/films.ts";
import { useFormat } from "../../ui/language/format.ts";
import { useText } from "../../ui/language/language.ts";
import { latestProposal } from "../../../core/cardiac/agreement/latest-proposal.ts";
import { isPlacedByPerson } from "../../../core/cardiac/agreement/placed-by-person.ts";
import { reportedScore } from "../../../core/cardiac/agreement/reported-readings.ts";

export function Versions({ film }: { readonly film: Film }) {
  const text = useText();
  const readings = useFilms((state) => state.readings);
  if (readings.length < 2) return readings[0] ? <Version reading={readings[0]} original={null} counts /> : null;
  return (
    <section aria-label={text("result.versions")}>
      <h3 className="field-label">{text("result.versions")}</h3>
      <div className="versions">
        {[...readings].reverse().map((reading) => (
          <Version
            key={reading.id}
            reading={reading}
            original={latestProposal(readings.filter(({ version }) => version < reading.version))}
            counts={reading.id === film.reading?.readingId}
          />
        ))}
      </div>
    </section>
  );
}

function nameOf(reading: Reading) {
  if (reading.takenBackBy !== undefined) return "result.rejectionTakenBack";
  return reading.verdict ? (`result.verdict_${reading.verdict}` as const) : "result.source_model";
}

function Version({
  reading,
  original,
  counts,
}: {
  readonly reading: Reading;
  readonly original: Reading | null;
  readonly counts: boolean;
}) {
  const text = useText();
  const format = useFormat();
  const who = reading.who ?? reading.takenBackBy;
  const score = reportedScore(reading);
  const change =
    original && isPlacedByPerson(reading) && score?.vhs && original.score?.vhs
      ? format.scoreChange(original.score.vhs, score.vhs)
      : null;
  const values = shownMeasures(score ?? {}).map(({ name }) => score?.[name]);
  return (
    <div className={`version ${counts ? "counts" : ""}`} data-testid="version" {...(counts && { tabIndex: -1 })}>
      <strong>{text(nameOf(reading))}</strong>
      <span className="data">
        {values.some((value) => typeof value === "number")
          ? `${values.map(format.score).join(" · ")} ${text("result.unit")}`
          : "—"}
      </span>
      <span className="quiet fine whole-line">
        {who ? text("result.byWhom", { who, when: format.minute(reading.at) }) : format.minute(reading.at)}
      </span>
      {reading.rejectionReason && (
        <span className="fine whole-line">{text(`result.rejection_${reading.rejectionReason}`)}</span>
      )}
      {change !== null && <span className="quiet fine whole-line">{text("result.difference", { change })}</span>}
      {reading.remark && <span className="remark">{reading.remark}</span>}
    </div>
  );
}
