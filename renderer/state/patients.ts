import { create } from "zustand";
import type { Patient } from "../../core/contract/desktop/patients.ts";
import type { DesktopRequest } from "../../core/contract/desktop.ts";
import { call } from "./connection.ts";

/** What a person may write about a patient. */
export type PatientFields = DesktopRequest<"patients.create">;

type PatientsState = {
  /** The ones seen last, or those that the search found. */
  readonly patients: readonly Patient[];
  readonly search: string;
  /** The patient that trends and screening speak about. */
  readonly chosen: Patient | null;
  readonly load: (search?: string) => Promise<void>;
  readonly choose: (patient: Patient | null) => void;
  readonly save: (patientId: string | null, fields: PatientFields) => Promise<Patient>;
};

/** Patients: recent, found and chosen. */
export const usePatients = create<PatientsState>((set, get) => ({
  patients: [],
  search: "",
  chosen: null,
  load: async (search = get().search) => {
    set({ search });
    const { patients } = await call("patients.list", { search, limit: 100 });
    if (get().search !== search) return;
    const chosen = patients.find(({ id }) => id === get().chosen?.id) ?? get().chosen;
    set({ patients, chosen });
  },
  choose: (chosen) => set({ chosen }),
  save: async (patientId, fields) => {
    const patient =
      patientId === null
        ? await call("patients.create", fields)
        : await call("patients.edit", { patientId, ...fields });
    await get().load();
    return patient;
  },
}));
