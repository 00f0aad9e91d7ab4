/**
 * A version as dpkg orders it: a pre-release before its release, which "-" would put behind it.
 *
 * @param version   semantic
 * @param revision  of the package
 */
export function debianVersion(version: string, revision: string): string {
  return `${version.replace("-", "~")}-${revision}`;
}
