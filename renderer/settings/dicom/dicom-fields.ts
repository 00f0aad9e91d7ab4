import type { z } from "zod";
import { aeTitle, dicomPeer, dicomReceiver, webPeer } from "../../../core/contract/desktop/network/dicom.ts";
import { isPrivateConnection } from "../../../core/contract/desktop/network/private-connection.ts";

function fits(schema: z.ZodType): (text: string) => boolean {
  return (text) => schema.safeParse(text.trim()).success;
}

export const isAeTitle = fits(aeTitle);
export const isHost = fits(dicomPeer.shape.host);
export const isAddressOrNetwork = fits(dicomReceiver.shape.allowedAddresses.element);
/** Whether the text is the address of a web service without password, query or fragment. */
export const isServiceAddress = fits(webPeer.shape.url);
/** Whether the text is a user name that a web service can receive; its password follows a colon. */
export const isUser = fits(webPeer.shape.user.min(1));

export function isSentInClear(text: string): boolean {
  return isServiceAddress(text) && !isPrivateConnection(new URL(text.trim()));
}

export function isCertificates(text: string): boolean {
  return text.trim() === "" || /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/.test(text);
}

export function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean);
}
