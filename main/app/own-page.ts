/** Scheme of the program's page: standard and secure, so that it has a separate origin; never `file:`. */
export const pageScheme = "corvet";

export const pageUrl = `${pageScheme}://app/`;

/** Whether an address belongs to the page; anything that is not an address does not. */
export function isOwnPage(address: string | undefined): boolean {
  if (!address || !URL.canParse(address)) return false;
  const { protocol, host } = new URL(address);
  return protocol === `${pageScheme}:` && host === "app";
}
