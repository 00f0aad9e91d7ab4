import {
  dicomBinds,
  securities,
  type DicomReceiver as Receiver,
  type DicomState,
} from "../../../core/contract/desktop/network/dicom.ts";
import { call } from "../../state/connection.ts";
import { attempt } from "../../state/faults.ts";
import { Notice } from "../../ui/empty.tsx";
import { FactList } from "../../ui/facts.tsx";
import { Choice, Switch } from "../../ui/fields/field.tsx";
import { SavedText } from "../saved-text.tsx";
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
  const faultOfLines = (isValid: (line: string) => boolean) => (lines: string) => {
    const wrong = linesOf(lines).filter((line) => !isValid(line));
    return wrong.length > 0 ? text("dicom.linesFault", { lines: wrong.join(", ") }) : null;
  };
  return (
    <section className="card stack" aria-labelledby="dicom-receive">
      <h2 id="dicom-receive">{text("dicom.receive")}</h2>
      <p className="quiet">{text("dicom.receiveText")}</p>
      <Switch label={text("dicom.isOn")} isOn={receiver.isOn} onChange={(isOn) => set({ isOn })} />
      <div className="dicom-pair">
        <SavedText
          name="receiver.aeTitle"
          label={text("dicom.ownTitle")}
          note={text("dicom.ownTitleNote")}
          value={receiver.aeTitle}
          faultOf={(title) => (isAeTitle(title) ? null : text("dicom.titleFault"))}
          maxLength={16}
          onSave={(aeTitle) => configure({ aeTitle })}
        />
        <SavedText
          name="receiver.port"
          label={text("common.port")}
          value={String(receiver.port)}
          faultOf={(port) => (isPort(portOf(port)) ? null : text("common.portFault"))}
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
        <SavedText
          name="receiver.trustedClients"
          label={text("dicom.trustedClients")}
          note={text("dicom.trustedClientsNote")}
          className="input data"
          value={receiver.trustedClients}
          faultOf={(pem) => (isCertificates(pem) ? null : text("dicom.certificateFault"))}
          rows={3}
          onSave={(trustedClients) => configure({ trustedClients })}
        />
      )}
      <SavedText
        name="receiver.allowedAeTitles"
        label={text("dicom.allowedTitles")}
        note={text(isOpen ? "dicom.allowedTitlesNote" : "dicom.allowedTitlesHere")}
        value={receiver.allowedAeTitles.join("\n")}
        faultOf={faultOfLines(isAeTitle)}
        rows={3}
        onSave={(titles) => configure({ allowedAeTitles: linesOf(titles) })}
      />
      {isOpen && (
        <SavedText
          name="receiver.allowedAddresses"
          label={text("dicom.allowedAddresses")}
          note={text("dicom.allowedAddressesNote")}
          value={receiver.allowedAddresses.join("\n")}
          faultOf={faultOfLines(isAddressOrNetwork)}
          rows={3}
          onSave={(addresses) => configure({ allowedAddresses: linesOf(addresses) })}
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
      <FactList facts={[[text("dicom.refused"), format.number(refusedAssociations, 0)]]} />
      <h3>{text("dicom.machineSide")}</h3>
      <FactList
        facts={[
          [text("dicom.nodeTitle"), receiver.aeTitle],
          [text("common.address"), addresses.join(", ")],
          [text("common.port"), port],
        ]}
      />
    </section>
  );
}
