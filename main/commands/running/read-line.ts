import { createInterface } from "node:readline/promises";

export async function readLine(prompt: string): Promise<string | null> {
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  process.stderr.write(prompt);
  for await (const line of lines) {
    lines.close();
    return line;
  }
  return null;
}
