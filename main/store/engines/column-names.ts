import { CamelCasePlugin } from "kysely";

/** Lets queries name columns in camelCase: `haemoglobinGPerDl` is haemoglobin_g_per_dl. */
export const columnNames = new CamelCasePlugin({ underscoreBetweenUppercaseLetters: true });
