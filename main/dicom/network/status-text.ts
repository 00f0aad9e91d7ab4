/** Formats a status like the standard, as four hexadecimal digits: A700. */
export function statusText(status: number): string {
  return status.toString(16).toUpperCase().padStart(4, "0");
}
