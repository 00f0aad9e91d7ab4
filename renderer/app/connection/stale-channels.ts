import type { DesktopChannel, DesktopEvent } from "../../../core/contract/desktop.ts";
import { invalidate } from "../../state/queries.ts";

const channelsOf: { readonly [Name in DesktopEvent["name"]]?: readonly DesktopChannel[] } = {
  "server.changed": ["server.get"],
  "ledger.changed": ["ledger.usage", "ledger.events"],
  "screenings.changed": ["usg.report", "usg.history"],
  // `publishers.changed` is sent before the packs have been read again, so publishers are refetched here too.
  "packs.changed": ["packs.list", "publishers.list", "usg.model"],
  "publishers.changed": ["packs.list", "publishers.list"],
  "encryption.changed": ["encryption.get"],
  "session.changed": ["people.list"],
  "dicom.changed": ["dicom.get", "dicom.log", "dicom.sendings", "marks.list", "keyFilms.list", "received.list"],
  "folders.changed": ["folders.get", "hl7.get"],
  "orders.changed": ["orders.next"],
  "patients.changed": ["orders.next", "trends.get", "films.get", "patients.mergers", "usg.history", "agreement.get"],
  "film.removed": ["films.queue", "sample.get", "agreement.get", "agreement.sameDay", "agreement.practiceErrors"],
  "openFilms.changed": ["films.openElsewhere"],
};

export function invalidateAfter(event: DesktopEvent): void {
  invalidate(...(channelsOf[event.name] ?? []).map((channel) => [channel] as const));
  if (event.name !== "film.changed") return;
  const { id, reading, patient } = event.payload.film;
  invalidate(["films.queue"], ["films.get", { filmId: id }]);
  if (reading?.source === "person")
    invalidate(["agreement.get"], ["agreement.drift"], ["agreement.sameDay"], ["agreement.practiceErrors"]);
  if (reading && patient) invalidate(["trends.get", { patientId: patient.id }]);
}
