import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const fromBuilder = createRequire(require.resolve("electron-builder"));
const { getConfig } = fromBuilder("app-builder-lib/out/util/config/config.js") as {
  getConfig(dir: string, file: string, overrides: object | null): Promise<BuilderSettings>;
};

type BuilderSettings = Record<string, unknown> & { readonly deb: { readonly artifactName: string } };

export function builderSettings(): Promise<BuilderSettings> {
  return getConfig(process.cwd(), "electron-builder.yml", null);
}
