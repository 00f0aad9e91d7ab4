/**
 * Returns a version for dpkg, which orders a pre-release before its release only with "~" instead of "-".
 *
 * @param version   semantic version
 * @param revision  revision of the package
 */
export function debianVersion(version: string, revision: string): string {
  return `${version.replace("-", "~")}-${revision}`;
}
