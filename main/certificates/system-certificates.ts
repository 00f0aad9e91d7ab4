import { getCACertificates } from "node:tls";

/** PEM certificates that the operating system trusts (Node's list if it has none), and NODE_EXTRA_CA_CERTS. */
export function systemCertificates(): string[] {
  const system = getCACertificates("system");
  return [...(system.length > 0 ? system : getCACertificates("bundled")), ...getCACertificates("extra")];
}
