import path from "node:path";
import { defineConfig } from "vitest/config";
import { hasPostgres } from "./test/fixtures/postgres/programs.ts";
import { leftOutInHurry, onBothEngines, onceOnly } from "./test/on-postgres.ts";
import onSqlite from "./vitest.config.ts";

const store = path.join(import.meta.dirname, "main", "store", "database.ts");
const storeInPostgres = path.join(import.meta.dirname, "test", "fixtures", "postgres", "store-in-postgres.ts");
const isInHurry = process.env["CI"] && process.env["CORVET_POSTGRES"] !== "whole";
const leftOut = { ...onceOnly, ...(isInHurry && leftOutInHurry) };

export default defineConfig({
  ...onSqlite,
  plugins: [
    {
      name: "store-in-postgres",
      enforce: "pre",
      async resolveId(source, importer, options) {
        if (importer === storeInPostgres || !source.endsWith("database.ts")) return null;
        const found = await this.resolve(source, importer, { ...options, skipSelf: true });
        return found?.id === store ? storeInPostgres : null;
      },
    },
  ],
  test: {
    ...onSqlite.test,
    include: hasPostgres ? [...onBothEngines] : [],
    exclude: Object.values(leftOut).flat(),
    passWithNoTests: true,
    env: { CORVET_TEST_ENGINE: "postgres" },
  },
});
