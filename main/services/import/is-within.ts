import path from "node:path";

/**
 * Whether a path is another one or lies below it, by its letters alone. The root of a drive or of a share ends with its
 * separator already, and Windows knows no way from one drive to another.
 *
 * @param system  the rules of paths: those of the system on which the program runs
 */
export function isWithin(inner: string, outer: string, system: path.PlatformPath = path): boolean {
  const way = system.relative(outer, inner);
  return way !== ".." && !way.startsWith(`..${system.sep}`) && !system.isAbsolute(way);
}
