import path from "node:path";
import { defineConfig } from "vitest/config";
import { hasPostgres } from "./test/fixtures/postgres/programs.ts";
import onSqlite from "./vitest.config.ts";

const store = path.join(import.meta.dirname, "main", "store", "database.ts");
const storeInPostgres = path.join(import.meta.dirname, "test", "fixtures", "postgres", "store-in-postgres.ts");

/** Tests that look at a store through its questions alone: the same once more, on a store in PostgreSQL. */
const include = [
  "test/main/store/{api-keys,audit-events,measurements}.test.ts",
  "test/main/store/ledger/*.test.ts",
  "test/main/services/calls/{billing,delivery,predict,predict-batch,screen-usg}.test.ts",
  "test/main/services/people/refusals.test.ts",
  "test/conformance/section-{2-results,6-events,8-billing}.test.ts",
  "test/main/services/worklist/{agreement,annotations,film-images,finding-patients,listing-films}.test.ts",
  "test/main/services/worklist/{capture,merging-patients,patients-and-trends,photographed-film}.test.ts",
  "test/main/services/worklist/readings/readings.test.ts",
];

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
    include: hasPostgres ? include : [],
    passWithNoTests: true,
    env: { CORVET_TEST_ENGINE: "postgres" },
  },
});
