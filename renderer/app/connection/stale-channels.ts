import { desktopEvents, type DesktopEvent } from "../../../core/contract/desktop/events.ts";
import { invalidate } from "../../state/queries.ts";

export function invalidateAfter(event: DesktopEvent): void {
  const { stale = [] } = desktopEvents[event.name];
  invalidate(...stale.map((channel) => [channel] as const));
  if (event.name !== "film.changed") return;
  const { id, reading, patient } = event.payload.film;
  invalidate(["films.queue"], ["films.get", { filmId: id }]);
  if (reading?.source === "person")
    invalidate(["agreement.get"], ["agreement.drift"], ["agreement.sameDay"], ["agreement.practiceErrors"]);
  if (reading && patient) invalidate(["trends.get", { patientId: patient.id }]);
}
