import { filmOrders, filmStandings } from "../../../core/contract/desktop/films.ts";
import { confidenceTiers } from "../../../core/cardiac/confidence.ts";
import { dayMs } from "../../../core/durations.ts";
import { useFilms } from "../../state/films/films.ts";
import type { FilmFilters } from "../../state/films/listed-films.ts";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/fields/field.tsx";
import { useText } from "../../ui/language/language.ts";
import { isFiltered } from "./filters.ts";

/** Stretches of time to look back on [days]. */
const stretches = [1, 7, 30, 365] as const;

/** What of the worklist is listed, and in which order. */
export function FilterBar() {
  const text = useText();
  const { filters, total, strays, films, setFilters } = useFilms();
  const { standing, tier, takenFrom, patientId, order = "added" } = filters;
  const patient = films?.find((film) => film.patient?.id === patientId)?.patient;
  const choose = (value: string) =>
    setFilters({
      standing: filmStandings.find((known) => known === value),
      tier: confidenceTiers.find((known) => known === value),
    });
  const days = takenFrom ? stretches.find((each) => takenFrom >= startOf(each)) : undefined;
  return (
    <div className="filter-bar">
      <Select
        aria-label={text("films.filterStatus")}
        value={standing ?? tier ?? ""}
        onChange={(event) => choose(event.target.value)}
      >
        <option value="">{text("films.filterAll")}</option>
        {filmStandings.map((each) => (
          <option key={each} value={each}>
            {text(`films.standing_${each}`)}
          </option>
        ))}
        {confidenceTiers.map((each) => (
          <option key={each} value={each}>
            {text(`films.filterTier_${each}`)}
          </option>
        ))}
      </Select>
      <Select
        aria-label={text("films.filterTaken")}
        value={days ?? ""}
        onChange={(event) =>
          setFilters({ takenFrom: event.target.value ? startOf(Number(event.target.value)) : undefined })
        }
      >
        <option value="">{text("films.takenAnyTime")}</option>
        {stretches.map((each) => (
          <option key={each} value={each}>
            {text("films.takenWithin", { days: each })}
          </option>
        ))}
      </Select>
      <Select
        aria-label={text("films.order")}
        value={order}
        onChange={(event) => setFilters({ order: event.target.value as NonNullable<FilmFilters["order"]> })}
      >
        {filmOrders.map((each) => (
          <option key={each} value={each}>
            {text(`films.order_${each}`)}
          </option>
        ))}
      </Select>
      {isFiltered(filters) && (
        <div className="filter-said">
          <span className="quiet fine" role="status">
            {[patient?.name, text("films.filtered", { count: total - strays.size })].filter(Boolean).join(" · ")}
          </span>
          <Button
            tone="plain"
            onClick={() =>
              setFilters({ standing: undefined, tier: undefined, takenFrom: undefined, patientId: undefined })
            }
          >
            {text("films.filterClear")}
          </Button>
        </div>
      )}
    </div>
  );
}

/** The beginning of the day so many days ago; the same all day, so that a filter says which one it is. */
function startOf(days: number): string {
  const today = new Date();
  today.setHours(0, 0, 0, 0);
  return new Date(today.getTime() - (days - 1) * dayMs).toISOString();
}
