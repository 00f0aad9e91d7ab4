import type { DatabaseState } from "../../../core/contract/desktop/practice/database.ts";
import { useFormat } from "../../ui/language/format.ts";
import { useText } from "../../ui/language/language.ts";

export function Machines({ machines }: { readonly machines: DatabaseState["machines"] }) {
  const text = useText();
  const format = useFormat();
  return (
    <section className="card stack">
      <h2>{text("database.machines")}</h2>
      <table className="grid-table">
        <thead>
          <tr>
            <th>{text("database.machine")}</th>
            <th>{text("database.state")}</th>
            <th>{text("database.version")}</th>
          </tr>
        </thead>
        <tbody>
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
        </tbody>
      </table>
    </section>
  );
}
