import { existsSync } from "node:fs";
import { registerHooks } from "node:module";
import path from "node:path";

// Simulates Electron's executable: `executable.ts APP ARGUMENTS`, or `executable.ts ARGUMENTS` for a packaged program,
// whose resources folder is in TWIN_RESOURCES. Sets Electron's properties of `process` and resolves "electron" to the
// twin.
const [node = "", , ...args] = process.argv;
const resources = process.env["TWIN_RESOURCES"];
const application = resources ? path.join(resources, "app") : args.find((argument) => !argument.startsWith("-"));
const mains = ["main/app/main.ts", "dist/main/app/main.js"].map((file) => path.resolve(application ?? "", file));
const main = mains.find((file) => application !== undefined && existsSync(file));
// default_app/main.ts
if (!main) throw new Error(`Electron would show its welcome page instead of ${application}`);

const electron = { url: new URL("./electron.ts", import.meta.url).href, shortCircuit: true };
registerHooks({ resolve: (name, context, next) => (name === "electron" ? electron : next(name, context)) });
Object.assign(process, resources ? { resourcesPath: resources } : { defaultApp: true });
process.argv = [node, ...args];
await import(main);
