/**
 * Whether a password on this way cannot be overheard: encrypted, or within this computer.
 *
 * @param address  of the server, as URL reads it: in small letters, numbers of addresses written out
 */
export function isPrivateWay({
  protocol,
  hostname,
}: {
  readonly protocol: string;
  readonly hostname: string;
}): boolean {
  return protocol === "https:" || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
