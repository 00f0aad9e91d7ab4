import { useId, useRef, useState, type FormEvent } from "react";
import { localDay, noonOf } from "../../core/local-day.ts";
import type { Film } from "../../core/contract/desktop/films.ts";
import type { Patient } from "../../core/contract/desktop/patients.ts";
import { call } from "../state/connection.ts";
import { attempt, faultText } from "../state/faults.ts";
import { fieldsOf, newPatientFields, usePatients, type PatientFields } from "../state/patients.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialogs/dialog.tsx";
import { DateField } from "../ui/fields/date-field.tsx";
import { useText } from "../ui/language/language.ts";
import { PatientList } from "../patients/patient-list.tsx";
import { hasWrongField } from "../patients/patient-facts-fields.tsx";
import { PatientFieldset } from "../patients/patient-fieldset.tsx";

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
  const save = usePatients((state) => state.save);
  const [editing, setEditing] = useState<Patient | null>(film.patient);
  const [fields, setFields] = useState<PatientFields>(film.patient ? fieldsOf(film.patient) : fieldsOfFile(film));
  const [taken, setTaken] = useState(localDay(new Date(film.takenAt)));
  // A future date set by the clock of the X-ray unit is accepted until it is edited.
  const isTakenLater = isFuture(taken) && taken !== localDay(new Date(film.takenAt));
  const [fault, setFault] = useState<string | null>(null);
  const isSaving = useRef(false);
  const id = useId();

  const choose = (patient: Patient | null) => {
    setEditing(patient);
    setFields(patient ? fieldsOf(patient) : fieldsOfFile(film));
    setFault(null);
  };
  /** Uses the name that was searched for, unless the file states one. */
  const startNew = () => {
    choose(null);
    setFields((before) => ({ ...before, name: before.name || newPatientFields().name }));
  };
  const change = (changed: Partial<PatientFields>) => {
    setFields({ ...fields, ...changed });
    setFault(null);
  };
  const saveOnce = async (work: () => Promise<void>) => {
    if (isTakenLater || isSaving.current) return;
    isSaving.current = true;
    try {
      await work();
    } catch (error) {
      setFault(faultText(error));
    } finally {
      isSaving.current = false;
    }
  };
  const assign = async (patientId: string | null) => {
    await call("films.assignPatient", { filmIds: [film.id], patientId });
    if (taken && taken !== localDay(new Date(film.takenAt)))
      await call("films.edit", { filmId: film.id, takenAt: noonOf(taken) });
    onClose();
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (fields.name.trim() === "") return setFault(text("films.nameMissing"));
    setFault(null);
    if (hasWrongField(event.currentTarget, fields)) return;
    await saveOnce(async () => {
      const patient = await save(editing, { ...fields, uuid: fields.uuid?.trim() || null });
      // If the assignment fails, a retry applies to the saved patient.
      setEditing(patient);
      setFields(fieldsOf(patient));
      await assign(patient.id);
    });
  };

  const foot = (
    <>
      {film.patient && (
        <Button tone="plain" onClick={() => void saveOnce(() => assign(null))}>
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
          <PatientList chosenId={editing?.id ?? null} onChoose={choose} />
          <Button icon="plus" onClick={startNew}>
            {text("films.newPatient")}
          </Button>
        </section>
        <form id={id} className="stack" onSubmit={(event) => attempt(() => submit(event))}>
          <h3>{text(editing ? "films.editPatient" : "films.newPatient")}</h3>
          <PatientFieldset key={editing?.id ?? ""} fields={fields} fault={fault} onChange={change} />
          <DateField
            label={text("films.takenAt")}
            value={taken}
            fault={isTakenLater ? text("films.takenFault") : null}
            onChange={setTaken}
          />
        </form>
      </div>
    </Dialog>
  );
}
