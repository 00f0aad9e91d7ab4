import { create } from "zustand";
import type { Patient } from "../../core/contract/desktop/patients.ts";
import type { DesktopRequest, DesktopResponse } from "../../core/contract/desktop.ts";
import { showToast } from "../ui/notes/toasts.ts";
import { changedFields } from "./changed-fields.ts";
import { call, ProgramError } from "./connection.ts";

export type PatientFields = DesktopRequest<"patients.create">;

export function fieldsOf(patient: Patient): PatientFields {
  const { name, species, breed, owner, uuid, microchip, sex, isNeutered, birthDate, weightKg } = patient;
  return { name, species, breed, owner, uuid, microchip, sex, isNeutered, birthDate, weightKg };
}

/** Fields of a new patient. The text searched for becomes the name if it contains a letter. */
export function newPatientFields(species: Patient["species"] = null): PatientFields {
  const typed = usePatients.getState().search.trim().slice(0, 120);
  return { name: /\p{Letter}/u.test(typed) ? typed : "", species, breed: "", owner: "", uuid: null };
}

type PatientsState = {
  readonly patients: readonly Patient[];
  readonly search: string;
  readonly canBe: Patient["species"];
  readonly refresh: () => Promise<void>;
  readonly chosen: Patient | null;
  /** Patient that this page merged or erased last, or is about to: its events may arrive before or after the response. */
  readonly leavingId: string | null;
  readonly followed: { readonly filmId: string; readonly patientId: string | null } | null;
  /**
   * Records the open film and its patient. Returns whether that patient is to be chosen: the film is another one, or it
   * was reassigned while its previous patient was chosen.
   */
  readonly followFilm: (filmId: string, patientId: string | null) => boolean;
  readonly merge: (kept: Patient, gone: Patient) => Promise<DesktopResponse<"patients.merge">>;
  /** Erases a patient for good. @returns the number of entries in the statement */
  readonly erase: (patientId: string, why: string) => Promise<number>;
  readonly unmerge: (undoId: string) => Promise<void>;
  readonly load: (search?: string, canBe?: Patient["species"]) => Promise<void>;
  readonly choose: (patient: Patient | null) => void;
  /** @param opened  the patient when the form was opened, null for a new one; unchanged fields are not sent */
  readonly save: (opened: Patient | null, fields: PatientFields) => Promise<Patient>;
};

export const usePatients = create<PatientsState>((set, get) => {
  const leave = async <Done>(leavingId: string, work: () => Promise<Done>): Promise<Done> => {
    set({ leavingId });
    try {
      return await work();
    } catch (error) {
      set({ leavingId: null });
      throw error;
    }
  };
  return {
    patients: [],
    search: "",
    canBe: null,
    chosen: null,
    leavingId: null,
    refresh: async () => {
      await get().load();
      const { chosen, patients } = get();
      if (!chosen || chosen.id === get().leavingId || patients.some(({ id }) => id === chosen.id)) return;
      // A chosen patient outside the list may have been renamed, merged or erased.
      const known = await patientOf(chosen.id);
      if (get().chosen?.id !== chosen.id || chosen.id === get().leavingId) return;
      set({ chosen: known });
      if (!known) showToast("note", (say) => say("films.patientGone", { name: chosen.name }));
    },
    followed: null,
    followFilm: (filmId, patientId) => {
      const { followed, chosen } = get();
      const isSameFilm = filmId === followed?.filmId;
      if (isSameFilm && patientId === followed.patientId) return false;
      set({ followed: { filmId, patientId } });
      return !isSameFilm || chosen?.id === followed.patientId;
    },
    merge: async (kept, gone) => {
      const done = await leave(gone.id, () => call("patients.merge", { keptId: kept.id, goneId: gone.id }));
      if (get().chosen?.id === gone.id) set({ chosen: done.patient });
      await get().load();
      return done;
    },
    erase: async (patientId, why) => {
      const { rows } = await leave(patientId, () => call("patients.erase", { patientId, why }));
      if (get().chosen?.id === patientId) set({ chosen: null });
      return rows;
    },
    unmerge: async (undoId) => {
      await call("patients.unmerge", { undoId });
      set({ leavingId: null });
      await get().load();
    },
    load: async (search = get().search, canBe = get().canBe) => {
      set({ search, canBe });
      const { patients } = await call("patients.list", { search, canBe, limit: 100 });
      if (get().search !== search || get().canBe !== canBe) return;
      const chosen = patients.find(({ id }) => id === get().chosen?.id) ?? get().chosen;
      set({ patients, chosen });
    },
    choose: (chosen) => set({ chosen }),
    save: async (opened, fields) => {
      const patient =
        opened === null
          ? await call("patients.create", fields)
          : await call("patients.edit", { patientId: opened.id, ...changedFields(fieldsOf(opened), fields) });
      await get().load();
      return patient;
    },
  };
});

async function patientOf(patientId: string): Promise<Patient | null> {
  try {
    return await call("patients.get", { patientId });
  } catch (error) {
    if (error instanceof ProgramError && error.code === "NOT_FOUND") return null;
    throw error;
  }
}
