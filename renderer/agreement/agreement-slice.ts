import { create } from "zustand";
import type { DesktopRequest } from "../../core/contract/desktop.ts";

type Filter = DesktopRequest<"agreement.get">;

type AgreementState = {
  readonly filter: Filter;
  /** A field that is undefined filters nothing. */
  readonly choose: (change: { readonly [Name in keyof Filter]?: Filter[Name] | undefined }) => void;
};

/** Which readings are compared; kept while the program runs. */
export const useAgreement = create<AgreementState>((set) => ({
  filter: { measure: "vhs" },
  choose: (change) =>
    set(({ filter }) => ({
      filter: Object.fromEntries(
        Object.entries({ ...filter, ...change }).filter(([, value]) => value !== undefined),
      ) as Filter,
    })),
}));
