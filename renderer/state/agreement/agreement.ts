import { create } from "zustand";
import type { DesktopRequest } from "../../../core/contract/desktop.ts";

type Filter = DesktopRequest<"agreement.get">;

type AgreementState = {
  readonly filter: Filter;
  readonly showAll: (measure: Filter["measure"]) => void;
  readonly choose: (change: { readonly [Name in keyof Filter]?: Filter[Name] | undefined }) => void;
};

export const useAgreement = create<AgreementState>((set) => ({
  filter: { measure: "vhs" },
  showAll: (measure) => set({ filter: { measure } }),
  choose: (change) =>
    set(({ filter }) => ({
      filter: Object.fromEntries(
        Object.entries({ ...filter, ...change }).filter(([, value]) => value !== undefined),
      ) as Filter,
    })),
}));
