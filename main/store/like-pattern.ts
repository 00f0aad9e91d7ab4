/**
 * LIKE pattern (with ESCAPE '\') for rows that contain a text as typed, without regard to case.
 * SQLite knows upper and lower case of ASCII alone, so every other letter stands for any letter, and "ö" finds "Öz".
 */
export function likePattern(text: string): string {
  return `%${text
    .trim()
    .normalize("NFC")
    .replace(/[\\%_]/g, "\\$&")
    .replace(/[^\x20-\x7e]/gu, "_")}%`;
}
