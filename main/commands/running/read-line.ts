import { createInterface } from "node:readline/promises";

/** Reads the next line of stdin, printing the prompt to stderr; null at its end. */
export async function readLine(prompt: string): Promise<string | null> {
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  process.stderr.write(prompt);
  for await (const line of lines) {
    lines.close();
    return line;
  }
  return null;
}
