const form = /^(\d{1,9}\.\d{1,9}\.\d{1,9})(?:-([0-9A-Za-z.-]{1,100}))?(?:\+[0-9A-Za-z.-]{1,100})?$/;

/** Compares digits by value; they precede letters. */
const order = new Intl.Collator("en", { numeric: true });

export function isVersion(text: string): boolean {
  return form.test(text);
}

/**
 * Compares two semantic versions: negative if the first is older. A pre-release is older than its release; build
 * metadata after "+" is ignored.
 *
 * @throws RangeError for anything that is not a version
 * @see https://semver.org
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parse(a), parse(b)];
  const byNumbers = order.compare(left.numbers, right.numbers);
  if (byNumbers !== 0) return byNumbers;
  const isRelease = Number(left.early === "") - Number(right.early === "");
  return isRelease !== 0 ? isRelease : order.compare(left.early, right.early);
}

function parse(text: string): { readonly numbers: string; readonly early: string } {
  const [, numbers, early = ""] = form.exec(text) ?? [];
  if (numbers === undefined) throw new RangeError("not a semantic version");
  return { numbers, early };
}
