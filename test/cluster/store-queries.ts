import { toFilms } from "../../main/services/worklist/film-view.ts";
import { getAgreement, listDrifts } from "../../main/services/worklist/trends/agreement.ts";
import { listAuditEvents } from "../../main/store/audit/audit-events.ts";
import type { WritableDb } from "../../main/store/database.ts";
import { listFilms, type FilmFilter } from "../../main/store/films/listed-films.ts";
import { listPatients } from "../../main/store/films/patients.ts";
import { listTrend } from "../../main/store/films/trend/trend.ts";
import { getMonthlyUsage } from "../../main/store/ledger/ledger-reports.ts";
import { getHistory } from "../../main/store/calls/measurements.ts";

export type TimedQuery = { readonly name: string; readonly ask: (db: WritableDb) => Promise<unknown> };

const pageFilms = 200;

export function queriesOfWindow(films: number): readonly TimedQuery[] {
  const page = (name: string, filter: Partial<FilmFilter> = {}): TimedQuery => ({
    name,
    ask: async (db) => {
      const { rows } = await listFilms(db, { search: "", limit: pageFilms, offset: 0, ...filter });
      return await toFilms(db, rows);
    },
  });
  return [
    page("films: first page"),
    page("films: last page", { offset: films - pageFilms }),
    page("films: by day, last page", { order: "takenNewest", offset: films - pageFilms }),
    page("films: by patient", { order: "patient" }),
    page("films: by tier", { order: "tier" }),
    page("films: undecided ones", { standing: "undecided" }),
    page("films: since a day", { takenFromMs: 1_699_000_000_000 }),
    page("films: of a patient", { patientId: "animal 4711" }),
    page("search: MUELLER", { search: "MUELLER" }),
    page("search: one number", { search: "IMG_4711.dcm" }),
    page("search: nothing found", { search: "nobody's" }),
    { name: "patients: first page", ask: (db) => listPatients(db, { search: "", limit: 100, offset: 0 }) },
    { name: "patients: search", ask: (db) => listPatients(db, { search: "schroder 12", limit: 100, offset: 0 }) },
    { name: "trend of a patient", ask: (db) => listTrend(db, { id: "animal 4711", uuid: "patient 4711" }) },
    {
      name: "agreement page",
      ask: (db) => getAgreement({ db, now: () => new Date() }, { measure: "vhs" }),
    },
    { name: "drift of the networks", ask: (db) => listDrifts({ db }) },
    { name: "audit: first page", ask: (db) => listAuditEvents(db, { limit: 100, offset: 0 }) },
    { name: "audit: by a name", ask: (db) => listAuditEvents(db, { limit: 100, offset: 0, who: "weiss" }) },
  ];
}

export function queriesOfApi(accountId: string): readonly TimedQuery[] {
  return [
    { name: "history of a uuid", ask: (db) => getHistory(db, { accountId, uuid: "patient 4711" }) },
    {
      name: "monthly usage",
      ask: (db) => getMonthlyUsage(db, { accountId, period: new Date().toISOString().slice(0, 7) }),
    },
  ];
}
