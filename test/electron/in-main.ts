type Sent = { readonly id: number; readonly source: string; readonly argument: unknown };

// Loaded into the twin's main process. Runs functions of a test there and exits when the test ends.
process.on("message", (sent: Sent) => void evaluate(sent));
if (process.connected) process.once("disconnect", () => process.exit(1));
process.channel?.unref();

async function evaluate({ id, source, argument }: Sent): Promise<void> {
  try {
    // oxlint-disable-next-line typescript/no-implied-eval -- functions of a test arrive as source
    const run = new Function(`return (${source})(...arguments)`) as (...args: unknown[]) => unknown;
    process.send?.({ id, value: await run(await import("electron"), argument) });
  } catch (error) {
    process.send?.({ id, error });
  }
}
