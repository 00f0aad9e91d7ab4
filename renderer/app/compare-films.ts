import type { DragEvent } from "react";
import type { Film } from "../../core/contract/desktop/films.ts";
import type { Patient } from "../../core/contract/desktop/patients.ts";
import { filmDragType } from "../state/films/dragged-film.ts";
import { openFilmOf, useFilms } from "../state/films/films.ts";
import { useNavigation } from "../state/navigation.ts";
import { usePatients } from "../state/patients.ts";
import { channelQuery, queryClient } from "../state/queries.ts";
import { useTrends } from "../trends/trends-slice.ts";
import { textNow } from "../ui/language/language.ts";
import { showToast } from "../ui/notes/toasts.ts";

/** Opens the comparison of films of one patient. @param filmIds  the film opened from the worklist comes last */
export function compareFilms(patient: Patient, filmIds: readonly string[]): void {
  const { leave, go } = useNavigation.getState();
  leave(() => {
    // A cached trend may lack a film that has been measured since, and the comparison would then drop that film.
    queryClient.removeQueries({ queryKey: channelQuery("trends.get", { patientId: patient.id }).queryKey });
    usePatients.getState().choose(patient);
    useTrends.getState().compareFilms(patient.id, filmIds);
    go("trends");
  });
}

export function compareDropped({ dataTransfer, target }: DragEvent): void {
  const filmId = dataTransfer.getData(filmDragType);
  if (filmId === "" || !(target instanceof Element) || !target.closest(".viewer")) return;
  const state = useFilms.getState();
  const [open, dropped] = [openFilmOf(state), state.films?.find(({ id }) => id === filmId)];
  if (!dropped || !open || dropped.id === open.id) return;
  const { patient } = open;
  if (patient && dropped.patient?.id === patient.id && hasScore(dropped) && hasScore(open))
    compareFilms(patient, [dropped.id, open.id]);
  else showToast("note", textNow()("trends.compareDropped"));
}

/** Returns whether the film is in the patient's trend; other films cannot be compared. */
function hasScore({ reading }: Film): boolean {
  return reading !== null && reading.vhs !== null && reading.verdict !== "rejected";
}
