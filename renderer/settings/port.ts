/** Parses a port; NaN if invalid. */
export function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text.trim()) ? Number(text) : Number.NaN;
  return isPort(port) ? port : Number.NaN;
}

export function isPort(port: number): boolean {
  return Number.isInteger(port) && port > 0 && port < 65_536;
}
