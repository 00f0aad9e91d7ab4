import { useState } from "react";
import type { DesktopResponse } from "../../../core/contract/desktop.ts";
import type { Person } from "../../../core/contract/desktop/practice/people.ts";
import { changedFields } from "../../state/changed-fields.ts";
import { call } from "../../state/connection.ts";
import { attempt } from "../../state/faults.ts";
import { useOnce } from "../../state/use-once.ts";
import { usePeople } from "../../state/people.ts";
import { useChannel } from "../../state/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Empty, Failed, Loading, Stale } from "../../ui/empty.tsx";
import { useFormat } from "../../ui/language/format.ts";
import { useText } from "../../ui/language/language.ts";
import { Table } from "../../ui/table.tsx";
import { PersonDialog } from "./person-dialog.tsx";
import { SignInSwitch } from "./sign-in-switch.tsx";

type List = DesktopResponse<"people.list">;
type Open = { readonly what: "add" | "edit" | "secret"; readonly person: Person | null } | null;

export function People() {
  const text = useText();
  const { value, fault, staleFault, reload } = useChannel("people.list", {});
  const [open, setOpen] = useState<Open>(null);
  const loadSession = usePeople((state) => state.load);
  const apply = async (work: () => Promise<unknown>) => {
    await work();
    setOpen(null);
    reload();
    await loadSession();
  };
  const once = useOnce();
  const change = (work: () => Promise<unknown>) => attempt(() => apply(work));
  if (fault) return <Failed fault={fault} onRetry={reload} />;
  if (!value) return <Loading label={text("common.loading")} />;
  return (
    <div className="settings-pair">
      <SignInSwitch list={value} onChange={change} onApply={apply} />
      <section className="card stack">
        <Stale fault={staleFault} onRetry={reload} />
        <div className="row spread">
          <h2>{text("people.tab")}</h2>
          <Button icon="plus" onClick={() => setOpen({ what: "add", person: null })}>
            {text("people.add")}
          </Button>
        </div>
        {value.people.length === 0 ? (
          <Empty icon="patient" title={text("people.nobody")} />
        ) : (
          <PeopleTable list={value} onOpen={setOpen} onChange={change} />
        )}
      </section>
      <OpenDialog open={open} onClose={() => setOpen(null)} onChange={(work) => once(() => apply(work))} />
    </div>
  );
}

function OpenDialog({
  open,
  onClose,
  onChange,
}: {
  readonly open: Open;
  readonly onClose: () => void;
  readonly onChange: (work: () => Promise<unknown>) => void;
}) {
  const text = useText();
  if (open === null) return null;
  const { what, person } = open;
  if (person === null)
    return (
      <PersonDialog
        title={text("people.add")}
        asks={["person", "secret"]}
        onClose={onClose}
        onSave={(fields) => onChange(() => call("people.add", fields))}
      />
    );
  const { id: personId, name, role } = person;
  return what === "secret" ? (
    <PersonDialog
      title={`${text("common.labelled", { label: text("people.newSecret") })} ${name}`}
      asks={["secret"]}
      onClose={onClose}
      onSave={({ secret }) => onChange(() => call("people.setSecret", { personId, secret }))}
    />
  ) : (
    <PersonDialog
      title={name}
      given={{ name, role, secret: "" }}
      asks={["person"]}
      onClose={onClose}
      onSave={(fields) =>
        onChange(() =>
          call("people.edit", {
            personId,
            ...changedFields({ name, role }, { name: fields.name, role: fields.role }),
          }),
        )
      }
    />
  );
}

function PeopleTable({
  list,
  onOpen,
  onChange,
}: {
  readonly list: List;
  readonly onOpen: (open: Open) => void;
  readonly onChange: (work: () => Promise<unknown>) => void;
}) {
  const text = useText();
  const format = useFormat();
  const setRetired = ({ id: personId }: Person, isRetired: boolean) =>
    onChange(() => call("people.edit", { personId, isRetired }));
  return (
    <Table heads={[text("common.name"), text("people.role"), text("people.since"), { hidden: text("common.edit") }]}>
      {list.people.map((person) => (
        <tr key={person.id} className={person.retiredAt ? "quiet" : ""}>
          <td className="free-text">{person.name}</td>
          <td>{text(`people.role_${person.role}`)}</td>
          <td className="data">
            {person.retiredAt
              ? text("people.retired", { date: format.day(person.retiredAt) })
              : format.day(person.createdAt)}
          </td>
          <td>
            <span className="row people-buttons">
              {person.retiredAt ? (
                <Button onClick={() => setRetired(person, false)}>{text("people.bringBack")}</Button>
              ) : (
                <>
                  <Button onClick={() => onOpen({ what: "edit", person })}>{text("common.edit")}</Button>
                  <Button onClick={() => onOpen({ what: "secret", person })}>{text("people.newSecret")}</Button>
                  <Button tone="danger" onClick={() => setRetired(person, true)}>
                    {text("people.retire")}
                  </Button>
                </>
              )}
            </span>
          </td>
        </tr>
      ))}
    </Table>
  );
}
