/** LIKE pattern (with ESCAPE '\') for rows that contain a text as typed, without regard to case. */
export function likePattern(text: string): string {
  return `%${text.trim().replace(/[\\%_]/g, "\\$&")}%`;
}
