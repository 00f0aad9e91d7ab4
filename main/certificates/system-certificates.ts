import { getCACertificates } from "node:tls";

/**
 * Certificates of the authorities that the operating system trusts, and those of NODE_EXTRA_CA_CERTS, as PEM. Node's
 * bundled list, its default, is used only if the system has none, as in a minimal container.
 */
export function systemCertificates(): string[] {
  const system = getCACertificates("system");
  return [...(system.length > 0 ? system : getCACertificates("bundled")), ...getCACertificates("extra")];
}
