import { memo, useEffect } from "react";
import { filmOrders, filmStandings } from "../../../core/contract/desktop/films.ts";
import { networkGrades } from "../../../core/cardiac/verdict/film-verdict.ts";
import { attempt } from "../../state/faults.ts";
import { useFilms } from "../../state/films/films.ts";
import type { FilmFilters } from "../../state/films/listed-films.ts";
import { useReaderMode } from "../../state/films/reader-mode.ts";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/fields/field.tsx";
import { useText } from "../../ui/language/language.ts";
import { isFiltered } from "./filters.ts";

/** Periods of the date filter [days]. */
const stretches = [1, 7, 30, 365] as const;
/** Interval at which a new day is detected [ms]. */
const refreshIntervalMs = 60_000;

export const FilterBar = memo(function FilterBar() {
  const text = useText();
  const filters = useFilms((state) => state.filters);
  const isReader = useReaderMode((mode) => mode.isOn);
  // Filter and order by verdict would reveal the networks' result.
  const orders = isReader ? filmOrders.filter((each) => each !== "tier") : filmOrders;
  const matching = useFilms(({ total, unmatched }) => total - unmatched.size);
  const { setFilters, refreshOnNewDay } = useFilms.getState();
  const { standing, grade, takenWithinDays, patientId, order = "added" } = filters;
  const name = useFilms(({ films }) => films?.find(({ patient }) => patient?.id === patientId)?.patient?.name);
  const choose = (value: string) => {
    const chosen = networkGrades.find((known) => known === value);
    setFilters({ standing: chosen ? "undecided" : filmStandings.find((known) => known === value), grade: chosen });
  };
  useEffect(() => {
    const look = () => attempt(refreshOnNewDay);
    look();
    const looking = window.setInterval(look, refreshIntervalMs);
    return () => window.clearInterval(looking);
  }, [refreshOnNewDay]);
  return (
    <div className="filter-bar">
      <Select
        aria-label={text("common.status")}
        value={grade ?? standing ?? ""}
        onChange={(event) => choose(event.target.value)}
      >
        <option value="">{text("films.filterAll")}</option>
        {filmStandings.map((each) => (
          <option key={each} value={each}>
            {text(`films.standing_${each}`)}
          </option>
        ))}
        {!isReader && (
          <optgroup label={text("films.standing_undecided")}>
            {networkGrades.map((each) => (
              <option key={each} value={each}>
                {text(`verdict.brief_${each}`)}
              </option>
            ))}
          </optgroup>
        )}
      </Select>
      <Select
        aria-label={text("films.filterTaken")}
        value={takenWithinDays ?? ""}
        onChange={(event) =>
          setFilters({ takenWithinDays: event.target.value ? Number(event.target.value) : undefined })
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
        {orders.map((each) => (
          <option key={each} value={each}>
            {text(`films.order_${each}`)}
          </option>
        ))}
      </Select>
      {isFiltered(filters) && (
        <div className="filter-said">
          <span className="quiet fine" role="status">
            {[name, text("films.filtered", { count: matching })].filter(Boolean).join(" · ")}
          </span>
          <Button
            tone="plain"
            onClick={() =>
              setFilters({ standing: undefined, grade: undefined, takenWithinDays: undefined, patientId: undefined })
            }
          >
            {text("films.filterClear")}
          </Button>
        </div>
      )}
    </div>
  );
});
