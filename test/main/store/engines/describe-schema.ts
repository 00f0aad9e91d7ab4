import { sql } from "kysely";
import type { ReadableDb } from "../../../../main/store/connection.ts";

/** Describes the schema of a store in PostgreSQL as the server prints it, sorted by line. */
export async function describeSchema(db: ReadableDb): Promise<string> {
  const described = sql<{ line: string }>`
    SELECT format('%s.%s %s%s%s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
        CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END, coalesce(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), '')) AS line
      FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0
      LEFT JOIN pg_attrdef AS d ON d.adrelid = c.oid AND d.adnum = a.attnum
      WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
    UNION ALL SELECT format('%s: %s', conrelid::regclass, pg_get_constraintdef(oid)) FROM pg_constraint
      WHERE connamespace = current_schema()::regnamespace
    UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema()
    UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL SELECT pg_get_functiondef(f.oid) FROM pg_proc AS f
      LEFT JOIN pg_depend AS extension ON extension.objid = f.oid AND extension.deptype = 'e'
      WHERE f.pronamespace = current_schema()::regnamespace AND extension.objid IS NULL
    ORDER BY line`;
  return (await described.execute(db)).rows.map(({ line }) => `${line}\n`).join("");
}
