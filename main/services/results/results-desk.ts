import type { ServiceContext } from "../measuring/service-context.ts";

/** What making results needs of the program: a command without networks has it, too. */
export type ResultsDesk = Pick<ServiceContext, "db" | "dataDir" | "dicom" | "handOuts" | "now" | "programVersion">;
