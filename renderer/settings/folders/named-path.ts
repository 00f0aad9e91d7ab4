import { ProgramError } from "../../state/connection.ts";

/** Whether a failure concerns this path: its reason contains it, ignoring outer spaces and trailing slashes. */
export function isNamed(path: string, failure: unknown): failure is ProgramError {
  if (!(failure instanceof ProgramError) || path.trim() === "") return false;
  const named = Object.values(failure.reason?.values ?? {});
  return named.some((value) => typeof value === "string" && bare(value) === bare(path));
}

function bare(path: string): string {
  return path.trim().replace(/[\\/]+$/, "");
}
