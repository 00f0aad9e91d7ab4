import type { DatabaseState } from "../../../core/contract/desktop/practice/database.ts";
import { useFormat } from "../../ui/language/format.ts";
import { useText } from "../../ui/language/language.ts";
import { Table } from "../../ui/table.tsx";

export function Machines({ machines }: { readonly machines: DatabaseState["machines"] }) {
  const text = useText();
  const format = useFormat();
  return (
    <section className="card stack">
      <h2>{text("database.machines")}</h2>
      <Table heads={[text("database.machine"), text("database.state"), text("database.version")]}>
        {machines.map(({ id, name, isThis, isAtWork, seenAt, programVersion }) => (
          <tr key={id}>
            <td>
              {name} {isThis && <span className="quiet">({text("database.isThis")})</span>}
            </td>
            <td className={isAtWork ? "" : "quiet"}>
              {isAtWork
                ? text("database.atWork")
                : seenAt === null
                  ? text("database.ended")
                  : text("database.lastSeen", { at: format.minute(seenAt) })}
            </td>
            <td className="data quiet">{programVersion}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}
