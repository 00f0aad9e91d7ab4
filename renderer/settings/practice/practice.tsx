import { useState } from "react";
import type { DatabaseState } from "../../../core/contract/desktop/practice/database.ts";
import { call } from "../../state/connection.ts";
import { attempt } from "../../state/faults.ts";
import { useChannel } from "../../state/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Question } from "../../ui/dialogs/dialog.tsx";
import { Failed, Loading, Notice, Stale } from "../../ui/empty.tsx";
import { useText } from "../../ui/language/language.ts";
import { DatabaseForm } from "./database-form.tsx";
import { PresentData } from "./tested-database.tsx";
import { useFormat } from "../../ui/language/format.ts";
import { Table } from "../../ui/table.tsx";

const refetchMs = 10_000;

export function Practice() {
  const text = useText();
  const { value, fault, staleFault, reload } = useChannel("database.get", {}, { refetchInterval: refetchMs });
  if (fault) return <Failed fault={fault} onRetry={reload} />;
  if (!value) return <Loading label={text("common.loading")} />;
  const isFixed = value.namedBy === "arguments" || value.namedBy === "environment";
  return (
    <div className="settings-columns wide">
      <div className="stack">
        <Stale fault={staleFault} onRetry={reload} />
        <Place state={value} onChange={reload} />
        {value.machines.length > 0 && <Machines machines={value.machines} />}
      </div>
      {!isFixed && <DatabaseForm state={value} onChosen={reload} />}
    </div>
  );
}

function Place({ state, onChange }: { readonly state: DatabaseState; readonly onChange: () => void }) {
  const text = useText();
  const [isAsking, setAsking] = useState(false);
  const { place, file, namedBy, next } = state;
  const choose = (address: "present" | null) =>
    attempt(async () => {
      setAsking(false);
      await call("database.choose", { address });
      onChange();
    });
  return (
    <section className="card stack">
      <h2>{text("database.now")}</h2>
      <p>{text(place === null ? "database.inFile" : "database.inDatabase")}</p>
      <output className="data">{place ?? file}</output>
      {(namedBy === "arguments" || namedBy === "environment") && <p>{text(`database.namedBy_${namedBy}`)}</p>}
      {next && <Next state={state} next={next} onUndo={() => choose("present")} />}
      {namedBy === "settings" && next === null && (
        <div className="row">
          <Button onClick={() => setAsking(true)}>{text("database.back")}</Button>
        </div>
      )}
      <Question
        isOpen={isAsking}
        title={text("database.backTitle")}
        description={text("database.backText", { file })}
        confirm={text("database.back")}
        onCancel={() => setAsking(false)}
        onConfirm={() => choose(null)}
      />
    </section>
  );
}

/** Changes that take effect at the next start. Offers no restart while data still have to be copied. */
function Next({
  state: { place, file, canRestart },
  next: { database, test },
  onUndo,
}: {
  readonly state: DatabaseState;
  readonly next: NonNullable<DatabaseState["next"]>;
  readonly onUndo: () => void;
}) {
  const text = useText();
  const mustCopy = test?.present === "copy";
  return (
    <Notice tone="review">
      <p>{database === null ? text("database.nextFile", { file }) : text("database.next", { place: database })}</p>
      {test && <PresentData tested={test} present={place ?? file} />}
      {!mustCopy && !canRestart && <p>{text("database.restartByHand")}</p>}
      <div className="row">
        {!mustCopy && canRestart && (
          <Button tone="primary" onClick={() => attempt(() => call("database.restart", {}))}>
            {text("database.restart")}
          </Button>
        )}
        <Button onClick={onUndo}>{text(place === null ? "database.undo" : "database.undoDatabase")}</Button>
      </div>
    </Notice>
  );
}

function Machines({ machines }: { readonly machines: DatabaseState["machines"] }) {
  const text = useText();
  const format = useFormat();
  return (
    <section className="card stack">
      <h2>{text("database.machines")}</h2>
      <Table heads={[text("database.machine"), text("database.state"), text("common.program")]}>
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
