import { CamelCasePlugin } from "kysely";

/** Lets questions name columns as the rest of the program does: `haemoglobinGPerDl` is haemoglobin_g_per_dl. */
export const columnNames = new CamelCasePlugin({ underscoreBetweenUppercaseLetters: true });
