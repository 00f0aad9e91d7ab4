import { useId, useState } from "react";
import { localDay, noonOf } from "../../core/local-day.ts";
import type { Film } from "../../core/contract/desktop/films.ts";
import { call } from "../state/connection.ts";
import { fieldsOf, newPatientFields, type PatientFields } from "../state/patients.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialogs/dialog.tsx";
import { DateField } from "../ui/fields/date-field.tsx";
import { Form } from "../ui/fields/form.tsx";
import { useText } from "../ui/language/language.ts";
import { PatientList } from "../patients/patient-list.tsx";
import { PatientFieldset } from "../patients/patient-fieldset.tsx";
import { usePatientForm } from "../patients/use-patient-form.ts";

const blank: PatientFields = { name: "", species: null, breed: "", owner: "", uuid: null };

/**
 * Fields of a new patient as described by the film's file. The file's identifier is omitted: a usable one would already
 * have assigned the film to its patient.
 */
function fieldsOfFile({ dicom }: Film): PatientFields {
  if (!dicom) return blank;
  const { name, species, breed, responsiblePerson, sex, isNeutered, birthDate } = dicom.patient;
  return {
    name: (name ?? "").slice(0, 120),
    species: species === "other" ? null : species,
    breed: (breed ?? "").slice(0, 120),
    owner: responsiblePerson ?? "",
    uuid: null,
    sex: sex === "other" ? null : sex,
    isNeutered,
    birthDate,
  };
}

function isFuture(day: string): boolean {
  return day > localDay(new Date());
}

export function PatientDialog({ film, onClose }: { readonly film: Film; readonly onClose: () => void }) {
  const text = useText();
  const { patient, fields, fault, show, change, runOnce, submit } = usePatientForm(
    film.patient,
    film.patient ? fieldsOf(film.patient) : fieldsOfFile(film),
  );
  const takenBefore = localDay(new Date(film.takenAt));
  const [taken, setTaken] = useState(takenBefore);
  // A future date set by the clock of the X-ray unit is accepted until it is edited.
  const isTakenLater = isFuture(taken) && taken !== takenBefore;
  const takenFault = taken === "" ? text("common.dateFault") : isTakenLater ? text("films.takenFault") : null;
  const id = useId();

  /** Uses the name that was searched for, unless the file states one. */
  const startNew = () => {
    const ofFile = fieldsOfFile(film);
    show(null, { ...ofFile, name: ofFile.name || newPatientFields().name });
  };
  const assign = async (patientId: string | null) => {
    await call("films.assignPatient", { filmIds: [film.id], patientId });
    if (taken !== takenBefore) await call("films.edit", { filmId: film.id, takenAt: noonOf(taken) });
    onClose();
  };
  const unassign = () => {
    if (takenFault === null) runOnce(() => assign(null));
  };
  const submitForm = (form: HTMLFormElement) => {
    if (takenFault === null) submit(form, (saved) => assign(saved.id));
  };

  const foot = (
    <>
      {film.patient && (
        <Button tone="plain" onClick={unassign}>
          {text("films.unassign")}
        </Button>
      )}
      <Button tone="plain" onClick={onClose}>
        {text("common.cancel")}
      </Button>
      <Button tone="primary" type="submit" form={id}>
        {text("films.assign")}
      </Button>
    </>
  );
  return (
    <Dialog isOpen onClose={onClose} title={text("films.patientOfFilm")} description={film.fileName} isWide foot={foot}>
      <div className="patient-dialog">
        <section className="stack">
          <PatientList chosenId={patient?.id ?? null} onChoose={(chosen) => show(chosen, fieldsOf(chosen))} />
          <Button icon="plus" onClick={startNew}>
            {text("films.newPatient")}
          </Button>
        </section>
        <Form id={id} className="stack" onSubmit={submitForm}>
          <h3>{text(patient ? "films.editPatient" : "films.newPatient")}</h3>
          <PatientFieldset key={patient?.id ?? ""} fields={fields} fault={fault} onChange={change} />
          <DateField label={text("films.takenAt")} value={taken} fault={takenFault} onChange={setTaken} />
        </Form>
      </div>
    </Dialog>
  );
}
