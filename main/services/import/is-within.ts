import path from "node:path";

/**
 * Whether a path equals or is below another, compared as text. The root of a drive or share already ends with a
 * separator, and Windows has no relative path between drives.
 */
export function isWithin(inner: string, outer: string, system: path.PlatformPath = path): boolean {
  const way = system.relative(outer, inner);
  return way !== ".." && !way.startsWith(`..${system.sep}`) && !system.isAbsolute(way);
}
