/** dpkg orders a pre-release before its release only with "~" instead of "-". */
export function debianVersion(version: string, revision: string): string {
  return `${version.replace("-", "~")}-${revision}`;
}
