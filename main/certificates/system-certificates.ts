import { getCACertificates } from "node:tls";

/**
 * Certificates of the authorities that the operating system trusts, PEM, with those of NODE_EXTRA_CA_CERTS. Node trusts
 * its bundled list by default; that list is used only where the system has none, as in a minimal container.
 */
export function systemCertificates(): string[] {
  const system = getCACertificates("system");
  return [...(system.length > 0 ? system : getCACertificates("bundled")), ...getCACertificates("extra")];
}
