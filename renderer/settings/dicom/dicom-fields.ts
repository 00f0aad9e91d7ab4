/** What may be written into the fields of the DICOM settings; the program judges it again. */

export function isAeTitle(text: string): boolean {
  return /^[ -[\]-~]{1,16}$/.test(text.trim()) && text.trim() !== "";
}

export function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;
}

export function isHost(text: string): boolean {
  return /^[\w.:-]{1,253}$/.test(text.trim());
}

/** An IPv4 address, or a network (`192.168.1.0/24`). */
export function isAddressOrNetwork(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const parts = address.split(".");
  const isAddress = parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
  return isAddress && rest.length === 0 && (bits === undefined || (/^(0|[1-9]\d?)$/.test(bits) && Number(bits) <= 32));
}

/** The lines of a text field without the empty ones. */
export function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean);
}
