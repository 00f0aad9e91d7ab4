import path from "node:path";
import { fileURLToPath } from "node:url";
import { isOpeningLink } from "../../../core/opening/opening-target.ts";

type NamedByArguments = { readonly links: readonly string[]; readonly paths: readonly string[] };

/** With a link, files are ignored: the operating system passes on links from web pages, which must not open files. */
export function namedByArguments(args: readonly string[], workingDir: string): NamedByArguments {
  const links = args.filter(isOpeningLink);
  if (links.length > 0) return { links, paths: [] };
  const named = args.filter((argument) => argument !== "" && !argument.startsWith("-"));
  return { links, paths: named.map((argument) => path.resolve(workingDir, localPathOf(argument))) };
}

/** Converts `file:` URLs, which file managers of Linux pass; one without a local file is reported as missing later. */
function localPathOf(argument: string): string {
  if (!/^file:/i.test(argument)) return argument;
  try {
    return fileURLToPath(argument);
  } catch {
    return argument;
  }
}
