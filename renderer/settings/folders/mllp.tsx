import { useState } from "react";
import type { SendFailure } from "../../../core/contract/desktop/network/dicom.ts";
import type { DesktopResponse } from "../../../core/contract/desktop.ts";
import { hl7Choices, type Hl7Destination } from "../../../core/contract/desktop/practice/hl7.ts";
import { call } from "../../state/connection.ts";
import { attempt } from "../../state/faults.ts";
import { useChannel } from "../../state/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Loaded } from "../../ui/empty.tsx";
import { useDraftOver } from "../../ui/fields/draft-over.ts";
import { Form } from "../../ui/fields/form.tsx";
import { Choice, Switch, TextArea, TextField } from "../../ui/fields/field.tsx";
import { useFormat } from "../../ui/language/format.ts";
import { useText } from "../../ui/language/language.ts";
import { isHost } from "../dicom/dicom-fields.ts";
import { PortField } from "../port-field.tsx";
import { isPort } from "../port.ts";

type State = DesktopResponse<"hl7.get">;

export function Mllp() {
  const query = useChannel("hl7.get", {});
  return (
    <div className="stack">
      <Loaded query={query}>{(state) => <MllpForm state={state} onChange={query.setValue} />}</Loaded>
    </div>
  );
}

function MllpForm({ state, onChange }: { readonly state: State; readonly onChange: (state: State) => void }) {
  const text = useText();
  const [draft, setDraft, saveDraft] = useDraftOver("hl7", state.destination);
  const [tested, setTested] = useState<{ readonly of: string; readonly failure: SendFailure | null } | null>(null);
  const destination = JSON.stringify(draft);
  const set = (change: Partial<Hl7Destination>) => setDraft({ ...draft, ...change });
  const isComplete = isPort(draft.port) && (isHost(draft.host) || (draft.host === "" && !draft.isOn));
  const save = () => attempt(() => saveDraft(async () => onChange(await call("hl7.save", draft))));
  const test = () => attempt(async () => setTested({ of: destination, ...(await call("hl7.test", draft)) }));
  return (
    <section className="card">
      <Form className="stack" onSubmit={save}>
        <h2>{text("hl7.title")}</h2>
        <Switch label={text("hl7.isOn")} isOn={draft.isOn} onChange={(isOn) => set({ isOn })} />
        <div className="dicom-pair">
          <TextField
            label={text("dicom.host")}
            fault={draft.host !== "" && !isHost(draft.host) ? text("dicom.hostFault") : null}
            value={draft.host}
            maxLength={253}
            onChange={(event) => set({ host: event.target.value.trim() })}
          />
          <PortField value={draft.port} onChange={(port) => set({ port })} />
        </div>
        <div className="dicom-pair equal">
          <TextField
            label={text("hl7.application")}
            value={draft.application}
            maxLength={180}
            onChange={(event) => set({ application: event.target.value })}
          />
          <TextField
            label={text("hl7.facility")}
            value={draft.facility}
            maxLength={180}
            onChange={(event) => set({ facility: event.target.value })}
          />
        </div>
        <Choice
          label={text("hl7.results")}
          value={draft.results}
          options={hl7Choices.map((value) => ({ value, label: text(`hl7.results_${value}`) }))}
          onChoose={(results) => set({ results })}
        />
        <Switch
          label={text("hl7.tls")}
          isOn={draft.tls !== null}
          onChange={(isOn) => set({ tls: isOn ? { trusted: "" } : null })}
        />
        {draft.tls && (
          <TextArea
            label={text("dicom.trusted")}
            note={text("dicom.trustedNote")}
            className="input data"
            value={draft.tls.trusted}
            rows={3}
            spellCheck={false}
            onChange={(event) => set({ tls: { trusted: event.target.value } })}
          />
        )}
        <div className="row">
          <Button tone="primary" type="submit" disabled={!isComplete}>
            {text("hl7.save")}
          </Button>
          <Button disabled={!isPort(draft.port) || !isHost(draft.host)} onClick={test}>
            {text("common.testConnection")}
          </Button>
          <span role="status" className={tested?.failure ? "fault-text" : "quiet"}>
            {tested?.of === destination &&
              (tested.failure
                ? text(`dicom.failure_${tested.failure.reason}`, { detail: tested.failure.detail })
                : text("hl7.reached"))}
          </span>
        </div>
        <Outbox state={state} onChange={onChange} />
      </Form>
    </section>
  );
}

function Outbox({ state, onChange }: { readonly state: State; readonly onChange: (state: State) => void }) {
  const text = useText();
  const format = useFormat();
  const { waiting, refused, lastSentAt, failure } = state;
  const act = (channel: "hl7.sendNow" | "hl7.discardRefused") => attempt(async () => onChange(await call(channel, {})));
  if (!state.destination.isOn) return null;
  const at = lastSentAt ? format.minute(lastSentAt) : text("folders.never");
  return (
    <div className="stack">
      <p className="quiet">{text("hl7.state", { waiting, at })}</p>
      {failure && <p className="fault-text">{text(`dicom.failure_${failure.reason}`, { detail: failure.detail })}</p>}
      {waiting > 0 && (
        <div className="row">
          <Button onClick={() => act("hl7.sendNow")}>{text("hl7.sendNow")}</Button>
          {refused > 0 && (
            <Button onClick={() => act("hl7.discardRefused")}>{text("hl7.discardRefused", { count: refused })}</Button>
          )}
        </div>
      )}
    </div>
  );
}
