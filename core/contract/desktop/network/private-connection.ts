/** Whether the connection to an address parsed by `URL` is encrypted or within this computer. */
export function isPrivateConnection({
  protocol,
  hostname,
}: {
  readonly protocol: string;
  readonly hostname: string;
}): boolean {
  return protocol === "https:" || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
