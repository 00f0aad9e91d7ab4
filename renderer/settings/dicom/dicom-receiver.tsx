import type { PlainKey } from "../../../core/language/catalogue.ts";
import {
  dicomBinds,
  securities,
  type DicomReceiver as Receiver,
  type DicomState,
} from "../../../core/contract/desktop/network/dicom.ts";
import { call } from "../../state/connection.ts";
import { attempt } from "../../state/faults.ts";
import { useDraftOver } from "../../ui/fields/draft-over.ts";
import { Notice } from "../../ui/empty.tsx";
import { Choice, Switch, TextArea, TextField } from "../../ui/fields/field.tsx";
import { useSavedWhenLeft } from "../../ui/fields/saved-when-left.ts";
import { useFormat } from "../../ui/language/format.ts";
import { useText } from "../../ui/language/language.ts";
import { isPort, portOf } from "../port.ts";
import { isAddressOrNetwork, isAeTitle, isCertificates, linesOf } from "./dicom-fields.ts";

type Props = { readonly state: DicomState; readonly onChange: (state: DicomState) => void };

export function DicomReceiver({ state, onChange }: Props) {
  const text = useText();
  const { receiver } = state;
  const isOpen = receiver.bind === "practice-network";
  const configure = async (change: Partial<Receiver>) => onChange(await call("dicom.configure", change));
  const set = (change: Partial<Receiver>) => attempt(() => configure(change));
  return (
    <section className="card stack" aria-labelledby="dicom-receive">
      <h2 id="dicom-receive">{text("dicom.receive")}</h2>
      <p className="quiet">{text("dicom.receiveText")}</p>
      <Switch label={text("dicom.isOn")} isOn={receiver.isOn} onChange={(isOn) => set({ isOn })} />
      <div className="dicom-pair">
        <Checked
          label={"dicom.ownTitle"}
          note={"dicom.ownTitleNote"}
          fault={"dicom.titleFault"}
          value={receiver.aeTitle}
          isValid={isAeTitle}
          maxLength={16}
          onSave={(aeTitle) => configure({ aeTitle })}
        />
        <Checked
          label={"common.port"}
          fault={"common.portFault"}
          value={String(receiver.port)}
          isValid={(port) => isPort(portOf(port))}
          inputMode="numeric"
          onSave={(port) => configure({ port: portOf(port) })}
        />
      </div>
      <Choice
        label={text("dicom.bind")}
        value={receiver.bind}
        onChoose={(bind) => set({ bind })}
        options={dicomBinds.map((value) => ({ value, label: text(`dicom.bind_${value}`) }))}
      />
      <Choice
        label={text("dicom.security")}
        value={receiver.security}
        onChoose={(security) => set({ security })}
        options={securities.map((value) => ({ value, label: text(`dicom.security_${value}`) }))}
      />
      {isOpen && receiver.security === "none" && <Notice tone="review">{text("dicom.unencrypted")}</Notice>}
      {receiver.security === "tls" && (
        <TrustedClients value={receiver.trustedClients} onSave={(trustedClients) => configure({ trustedClients })} />
      )}
      <Lines
        label={"dicom.allowedTitles"}
        note={isOpen ? "dicom.allowedTitlesNote" : "dicom.allowedTitlesHere"}
        values={receiver.allowedAeTitles}
        isValid={isAeTitle}
        onSave={(allowedAeTitles) => configure({ allowedAeTitles })}
      />
      {isOpen && (
        <Lines
          label={"dicom.allowedAddresses"}
          note={"dicom.allowedAddressesNote"}
          values={receiver.allowedAddresses}
          isValid={isAddressOrNetwork}
          onSave={(allowedAddresses) => configure({ allowedAddresses })}
        />
      )}
    </section>
  );
}

export function DicomReceiverState({
  state: { receiver, state, fault, ownAddresses, refusedAssociations },
}: {
  readonly state: DicomState;
}) {
  const text = useText();
  const format = useFormat();
  const { port, bind, allowedAeTitles, allowedAddresses } = receiver;
  const isOpen = bind === "practice-network";
  const isClosedToAll = isOpen && receiver.isOn && (allowedAeTitles.length === 0 || allowedAddresses.length === 0);
  const addresses = isOpen && ownAddresses.length > 0 ? ownAddresses : ["127.0.0.1"];
  return (
    <section className="card stack" aria-labelledby="dicom-state">
      <h2 id="dicom-state">{text("common.status")}</h2>
      {fault ? (
        <Notice tone="fault">{text(`dicom.fault_${fault}`, { port })}</Notice>
      ) : (
        <output className={`dicom-state ${state}`}>
          <span className="dicom-lamp" aria-hidden="true" />
          {text(`dicom.state_${state === "failed" ? "off" : state}`, { port })}
        </output>
      )}
      {isClosedToAll && <Notice tone="review">{text("dicom.nobodyAllowed")}</Notice>}
      <dl className="facts">
        <div className="fact">
          <dt>{text("dicom.refused")}</dt>
          <dd className="data">{format.number(refusedAssociations, 0)}</dd>
        </div>
      </dl>
      <h3>{text("dicom.machineSide")}</h3>
      <dl className="facts">
        <div className="fact">
          <dt>{text("dicom.nodeTitle")}</dt>
          <dd className="data">{receiver.aeTitle}</dd>
        </div>
        <div className="fact">
          <dt>{text("dicom.address")}</dt>
          <dd className="data">{addresses.join(", ")}</dd>
        </div>
        <div className="fact">
          <dt>{text("common.port")}</dt>
          <dd className="data">{port}</dd>
        </div>
      </dl>
    </section>
  );
}

/** A text that is saved when the field is left, once it is valid. */
function Checked({
  label,
  note,
  fault,
  value,
  isValid,
  onSave,
  ...input
}: {
  readonly label: PlainKey;
  readonly note?: PlainKey;
  readonly fault: PlainKey;
  readonly value: string;
  readonly isValid: (text: string) => boolean;
  readonly onSave: (value: string) => Promise<void>;
  readonly maxLength?: number;
  readonly inputMode?: "numeric";
}) {
  const text = useText();
  const [draft, setDraft, saveDraft] = useDraftOver(value);
  const shown = isValid(draft) ? null : text(fault);
  const whenLeft = useSavedWhenLeft(
    () => !shown && draft.trim() !== value && attempt(() => saveDraft(() => onSave(draft.trim()))),
  );
  return (
    <TextField
      label={text(label)}
      note={note && text(note)}
      fault={shown}
      value={draft}
      onChange={(event) => setDraft(event.target.value)}
      {...whenLeft}
      {...input}
    />
  );
}

function TrustedClients({
  value,
  onSave,
}: {
  readonly value: string;
  readonly onSave: (value: string) => Promise<void>;
}) {
  const text = useText();
  const [draft, setDraft, saveDraft] = useDraftOver(value);
  const fault = isCertificates(draft) ? null : text("dicom.certificateFault");
  const whenLeft = useSavedWhenLeft(
    () => !fault && draft.trim() !== value && attempt(() => saveDraft(() => onSave(draft.trim()))),
  );
  return (
    <TextArea
      label={text("dicom.trustedClients")}
      note={text("dicom.trustedClientsNote")}
      fault={fault}
      className="input data"
      value={draft}
      rows={3}
      spellCheck={false}
      onChange={(event) => setDraft(event.target.value)}
      {...whenLeft}
    />
  );
}

/** A list, one entry per line, that is saved when the field is left, once all lines are valid. */
function Lines({
  label,
  note,
  values,
  isValid,
  onSave,
}: {
  readonly label: PlainKey;
  readonly note: PlainKey;
  readonly values: readonly string[];
  readonly isValid: (line: string) => boolean;
  readonly onSave: (values: string[]) => Promise<void>;
}) {
  const text = useText();
  const [draft, setDraft, saveDraft] = useDraftOver(values.join("\n"));
  const wrong = linesOf(draft).filter((line) => !isValid(line));
  const fault = wrong.length > 0 ? text("dicom.linesFault", { lines: wrong.join(", ") }) : null;
  const isChanged = linesOf(draft).join("\n") !== values.join("\n");
  const whenLeft = useSavedWhenLeft(
    () => !fault && isChanged && attempt(() => saveDraft(() => onSave(linesOf(draft)))),
  );
  return (
    <TextArea
      label={text(label)}
      note={text(note)}
      fault={fault}
      value={draft}
      rows={3}
      onChange={(event) => setDraft(event.target.value)}
      {...whenLeft}
    />
  );
}
