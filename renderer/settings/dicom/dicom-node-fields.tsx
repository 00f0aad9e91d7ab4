import { webSignIns } from "../../../core/contract/desktop/network/dicom.ts";
import { Choice, Switch, TextArea, TextField } from "../../ui/fields/field.tsx";
import { useText } from "../../ui/language/language.ts";
import { PortField } from "../port-field.tsx";
import { isPort } from "../port.ts";
import { isAeTitle, isCertificates, isHost, isSentInClear, isServiceAddress, isUser } from "./dicom-fields.ts";
import type { NodeDraft } from "./dicom-node-draft.ts";

type Props = {
  readonly draft: NodeDraft;
  readonly set: (change: Partial<NodeDraft>) => void;
  /** Whether saving was attempted, so that invalid fields are marked. */
  readonly isAsked: boolean;
};

export function isDimseDraft({ host, port, aeTitle, encryption, trusted }: NodeDraft): boolean {
  return isHost(host) && isPort(port) && isAeTitle(aeTitle) && (encryption === "none" || isCertificates(trusted));
}

/** @param hasKept  whether a password or token is already stored */
export function isWebDraft({ url, signIn, user, secret, trusted }: NodeDraft, hasKept: boolean): boolean {
  const isSecretGood = !asksSecret(signIn) || ((secret !== "" || hasKept) && !isSentInClear(url));
  return isServiceAddress(url) && (signIn !== "basic" || isUser(user)) && isSecretGood && isCertificates(trusted);
}

function asksSecret(signIn: NodeDraft["signIn"]): boolean {
  return signIn === "basic" || signIn === "bearer";
}

export function DimseFields({ draft, set, isAsked }: Props) {
  const text = useText();
  const { host, port, aeTitle, encryption } = draft;
  return (
    <>
      <div className="dicom-pair">
        <TextField
          label={text("dicom.host")}
          fault={isAsked && !isHost(host) ? text("dicom.hostFault") : null}
          value={host}
          maxLength={253}
          onChange={(event) => set({ host: event.target.value })}
        />
        <PortField value={port} isAsked={isAsked} onChange={(changed) => set({ port: changed })} />
      </div>
      <TextField
        label={text("dicom.nodeTitle")}
        fault={isAsked && !isAeTitle(aeTitle) ? text("dicom.titleFault") : null}
        value={aeTitle}
        maxLength={16}
        onChange={(event) => set({ aeTitle: event.target.value })}
      />
      <Choice
        label={text("dicom.security")}
        value={encryption}
        onChoose={(chosen) => set({ encryption: chosen })}
        options={[
          { value: "none", label: text("dicom.security_none") },
          { value: "on", label: text("dicom.nodeTls_on") },
          { value: "own", label: text("dicom.security_tls") },
        ]}
      />
      {encryption !== "none" && <Trusted draft={draft} set={set} isAsked={isAsked} />}
      <Switch
        label={text("dicom.asksCommitment")}
        isOn={draft.asksCommitment}
        onChange={(asksCommitment) => set({ asksCommitment })}
      />
      <Switch
        label={text("orders.offers")}
        isOn={draft.offersWorklist}
        onChange={(offersWorklist) => set({ offersWorklist })}
      />
    </>
  );
}

export function WebFields({ draft, set, isAsked, hasKept }: Props & { readonly hasKept: boolean }) {
  const text = useText();
  const { url, signIn, user, secret } = draft;
  const secretFault = () => {
    if (!isAsked) return null;
    if (isSentInClear(url)) return text("faults.secretInTheClear");
    return secret !== "" || hasKept ? null : text("dicom.secretFault");
  };
  return (
    <>
      <TextField
        label={text("dicom.url")}
        note={text("dicom.urlNote")}
        fault={isAsked && !isServiceAddress(url) ? text("dicom.urlFault") : null}
        value={url}
        maxLength={500}
        inputMode="url"
        onChange={(event) => set({ url: event.target.value })}
      />
      <Choice
        label={text("dicom.signIn")}
        value={signIn}
        onChoose={(chosen) => set({ signIn: chosen, secret: "" })}
        options={webSignIns.map((value) => ({ value, label: text(`dicom.signIn_${value}`) }))}
      />
      {signIn === "basic" && (
        <TextField
          label={text("dicom.user")}
          fault={isAsked && !isUser(user) ? text("dicom.userFault") : null}
          value={user}
          maxLength={200}
          onChange={(event) => set({ user: event.target.value })}
        />
      )}
      {asksSecret(signIn) && (
        <TextField
          label={text(signIn === "basic" ? "database.password" : "dicom.signIn_bearer")}
          note={text(hasKept ? "dicom.secretKept" : "dicom.secretNote")}
          fault={secretFault()}
          type="password"
          autoComplete="new-password"
          value={secret}
          maxLength={8192}
          onChange={(event) => set({ secret: event.target.value })}
        />
      )}
      {!url.trim().startsWith("http:") && <Trusted draft={draft} set={set} isAsked={isAsked} />}
    </>
  );
}

function Trusted({ draft, set, isAsked }: Props) {
  const text = useText();
  return (
    <TextArea
      label={text("dicom.trusted")}
      note={text("dicom.trustedNote")}
      fault={isAsked && !isCertificates(draft.trusted) ? text("dicom.certificateFault") : null}
      className="input data"
      value={draft.trusted}
      rows={3}
      spellCheck={false}
      onChange={(event) => set({ trusted: event.target.value })}
    />
  );
}
