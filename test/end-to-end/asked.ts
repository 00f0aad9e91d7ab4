/** Parses the command line. Prints the usage and exits if help is requested or an argument is invalid. */
export function askedOrUsage<Asked>(usage: string, read: () => Asked): Asked {
  const asksForHelp = process.argv.slice(2).some((argument) => argument === "--help" || argument === "-h");
  try {
    if (!asksForHelp) return read();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  }
  (asksForHelp ? process.stdout : process.stderr).write(`usage: ${usage}\n`);
  process.exit(asksForHelp ? 0 : 2);
}
