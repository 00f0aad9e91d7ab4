import type { ServiceContext } from "../measuring/service-context.ts";

/** Also available to commands without networks. */
export type ResultsContext = Pick<ServiceContext, "db" | "dataDir" | "dicom" | "handouts" | "now" | "programVersion">;
