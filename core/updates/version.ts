/** Parts of a version that determine its order. @see https://semver.org */
type Version = { readonly numbers: readonly number[]; readonly early: readonly string[] };

const form = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([0-9A-Za-z.-]{1,100}))?(?:\+[0-9A-Za-z.-]{1,100})?$/;

export function isVersion(text: string): boolean {
  return form.test(text);
}

/**
 * Compares two semantic versions: negative if the first is older. A pre-release is older than its release; build
 * metadata after "+" is ignored.
 *
 * @throws RangeError for anything that is not a version
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parse(a), parse(b)];
  for (const [index, number] of left.numbers.entries()) {
    const difference = number - (right.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return compareEarly(left.early, right.early);
}

function compareEarly(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length;
  for (const [index, part] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const difference = comparePart(part, other);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Numbers are compared by value and precede texts; texts are compared by character codes. */
function comparePart(a: string, b: string): number {
  const [isNumberA, isNumberB] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumberA && isNumberB) return Number(a) - Number(b);
  if (isNumberA !== isNumberB) return isNumberA ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

function parse(text: string): Version {
  const [, major, minor, patch, early = ""] = form.exec(text) ?? [];
  if (major === undefined) throw new RangeError("not a semantic version");
  return { numbers: [major, minor, patch].map(Number), early: early === "" ? [] : early.split(".") };
}
