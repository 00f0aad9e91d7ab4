/**
 * Whether a password can be sent without being intercepted: the connection is encrypted or within this computer.
 *
 * @param address  of the server, as parsed by `URL`: lower case, IP addresses normalised
 */
export function isPrivateConnection({
  protocol,
  hostname,
}: {
  readonly protocol: string;
  readonly hostname: string;
}): boolean {
  return protocol === "https:" || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
