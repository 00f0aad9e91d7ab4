#!/usr/bin/env node
/** `npx corvet COMMAND …` in a checkout: installs missing packages, then runs the command on a suitable Node. */
process.argv.splice(2, 0, "corvet");
await import("./run.mjs");
