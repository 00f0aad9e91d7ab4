import { isPrivateConnection } from "../../../core/contract/desktop/network/private-connection.ts";

// Validation of the DICOM settings in the page; the program validates them again.

export function isAeTitle(text: string): boolean {
  return /^[ -[\]-~]{1,16}$/.test(text.trim()) && text.trim() !== "";
}

export function isHost(text: string): boolean {
  return /^[\w.:-]{1,253}$/.test(text.trim());
}

export function isAddressOrNetwork(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const isIpv6 = address.includes(":");
  const isAddress = isIpv6 ? isIpv6Address(address) : isIpv4Address(address);
  const areBits = bits === undefined || (/^(0|[1-9]\d{0,2})$/.test(bits) && Number(bits) <= (isIpv6 ? 128 : 32));
  return isAddress && rest.length === 0 && areBits;
}

function isIpv4Address(address: string): boolean {
  const parts = address.split(".");
  return parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
}

function isIpv6Address(address: string): boolean {
  return /^[\da-f:.]+$/i.test(address) && URL.canParse(`http://[${address}]`);
}

/** Whether the text is the address of a web service without password, query or fragment. */
export function isServiceAddress(text: string): boolean {
  return /^https?:\/\/[^@?#]+$/i.test(text.trim()) && URL.canParse(text.trim());
}

/** Whether a password sent to this address could be intercepted. */
export function isSentInClear(text: string): boolean {
  return isServiceAddress(text) && !isPrivateConnection(new URL(text.trim()));
}

export function isCertificates(text: string): boolean {
  return text.trim() === "" || /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/.test(text);
}

/** The lines of a text field without the empty ones. */
export function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean);
}
