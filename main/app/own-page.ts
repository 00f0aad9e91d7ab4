/** Scheme of Corvet's page, registered as standard and secure so that the page has its own origin. */
export const pageScheme = "corvet";

export const pageUrl = `${pageScheme}://app/`;

export function isOwnPage(address: string | undefined): boolean {
  if (!address || !URL.canParse(address)) return false;
  const { protocol, host } = new URL(address);
  return protocol === `${pageScheme}:` && host === "app";
}
