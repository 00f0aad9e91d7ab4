import { buildPage } from "./program.ts";

/** Before any test: journeys run side by side, and one of them building the page would take it from the others. */
export const setup = buildPage;
