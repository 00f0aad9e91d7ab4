/**
 * The first option on a command line that its verb does not offer. What a verb offers stands in the usage: in the lines
 * that begin with the command and the verb, in those further indented below them, and in those that belong to no verb.
 *
 * @param args  what follows the command; nothing is said of a command line that does not begin with a verb
 * @returns     null where every option is offered
 */
export function optionNotOffered(command: string, usage: string, args: readonly string[]): string | null {
  const offered = offeredByVerb(command, usage);
  const own = offered.get(args[0] ?? "");
  if (!own) return null;
  const end = args.indexOf("--");
  const given = (end < 0 ? args : args.slice(0, end)).flatMap((arg) => /^--[a-z][a-z-]*/.exec(arg)?.[0] ?? []);
  const common = offered.get("") ?? new Set();
  return given.find((option) => !own.has(option) && !common.has(option)) ?? null;
}

/** Options by verb; under "" those that the usage names apart from any. */
function offeredByVerb(command: string, usage: string): ReadonlyMap<string, ReadonlySet<string>> {
  const offered = new Map<string, Set<string>>();
  let verb = "";
  for (const line of usage.split("\n")) {
    const [first = "", second = ""] = line.split(/\s+/);
    if (first === command && /^[a-z-]+$/.test(second)) verb = second;
    else if (!line.startsWith("   ")) verb = "";
    const options = offered.get(verb) ?? new Set();
    for (const [option] of line.matchAll(/--[a-z][a-z-]*/g)) options.add(option);
    offered.set(verb, options);
  }
  return offered;
}
