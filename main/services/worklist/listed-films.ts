import { comparedAnimal } from "../../../core/cardiac/reference/compared-animal.ts";
import { referenceRangeFor } from "../../../core/cardiac/reference/reference-ranges.ts";
import { filmVerdict, type NetworkGrade } from "../../../core/cardiac/verdict/film-verdict.ts";
import { verdictFacts } from "../../../core/cardiac/verdict/verdict-facts.ts";
import type { DesktopParsedRequest, DesktopResponse } from "../../../core/contract/desktop.ts";
import { storedInstance } from "../../../core/contract/desktop/network/dicom-instance.ts";
import type { ReadableDb } from "../../store/connection.ts";
import { listDicomInstances } from "../../store/films/dicom/dicom-instances.ts";
import type { FilmRow } from "../../store/films/films.ts";
import { listFilms } from "../../store/films/listed-films.ts";
import { findPatients } from "../../store/films/patients.ts";
import { listLatestReadings } from "../../store/films/readings.ts";
import { getSetting, ownRangesSetting } from "../../store/settings.ts";
import { toFilms, toReading } from "./film-view.ts";

export async function listFilmViews(
  db: ReadableDb,
  { takenFrom, grade, ...filter }: DesktopParsedRequest<"films.list">,
): Promise<DesktopResponse<"films.list">> {
  const wanted = { ...filter, takenFromMs: takenFrom === undefined ? undefined : Date.parse(takenFrom) };
  if (!grade) {
    const { rows, total } = await listFilms(db, wanted);
    return { films: await toFilms(db, rows), total };
  }
  // A query cannot filter by verdict, which depends on reference ranges.
  const found: FilmRow[] = [];
  for (let offset = 0, isMore = true; isMore; offset += judgedFilms) {
    const { rows } = await listFilms(db, { ...wanted, standing: "undecided", limit: judgedFilms, offset });
    found.push(...(await ofGrade(db, rows, grade)));
    isMore = rows.length === judgedFilms;
  }
  const page = found.slice(filter.offset, filter.offset + filter.limit);
  return { films: await toFilms(db, page), total: found.length };
}

const judgedFilms = 200;

async function ofGrade(db: ReadableDb, rows: readonly FilmRow[], grade: NetworkGrade): Promise<readonly FilmRow[]> {
  const filmIds = rows.map(({ id }) => id);
  const readings = await listLatestReadings(db, filmIds);
  const instances = await listDicomInstances(db, filmIds);
  const patients = await findPatients(db, [...new Set(rows.flatMap(({ patientId }) => patientId ?? []))]);
  const ownRanges = await getSetting(db, ownRangesSetting);
  return rows.filter(({ id, patientId }) => {
    const latest = readings.get(id);
    if (!latest) return false;
    const reading = toReading(latest);
    const instance = instances.get(id);
    const { species, breed } = comparedAnimal(
      patients.get(patientId ?? "") ?? null,
      instance ? storedInstance(instance.facts).patient : null,
    );
    const range = referenceRangeFor("vhs", species, breed, ownRanges);
    return filmVerdict(verdictFacts(reading, [reading]), range)?.grade === grade;
  });
}
