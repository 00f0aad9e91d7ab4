import { useState } from "react";
import type { DesktopRequest, DesktopResponse } from "../../../core/contract/desktop.ts";
import { call } from "../../state/connection.ts";
import { attempt } from "../../state/faults.ts";
import { useChannel } from "../../state/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Question } from "../../ui/dialogs/dialog.tsx";
import { Loaded } from "../../ui/empty.tsx";
import { FactList } from "../../ui/facts.tsx";
import { FormDialog } from "../../ui/dialogs/form-dialog.tsx";
import { TextArea } from "../../ui/fields/field.tsx";
import { useFormat } from "../../ui/language/format.ts";
import { useText } from "../../ui/language/language.ts";
import { Fingerprint } from "../fingerprint.tsx";

type Given = DesktopRequest<"dicom.saveCertificate">;
type Certificate = DesktopResponse<"dicom.certificate">["certificate"];

/** Certificate that identifies this program to other systems; its private key is never sent to the page. */
export function DicomCertificate() {
  const query = useChannel("dicom.certificate", {});
  return (
    <Loaded query={query}>
      {({ certificate }) => <OwnCertificate certificate={certificate} onSaved={query.reload} />}
    </Loaded>
  );
}

function OwnCertificate({ certificate, onSaved }: { readonly certificate: Certificate; readonly onSaved: () => void }) {
  const text = useText();
  const format = useFormat();
  const [dialog, setDialog] = useState<"replace" | "use" | null>(null);
  const save = (given: Given) =>
    attempt(async () => {
      await call("dicom.saveCertificate", given);
      setDialog(null);
      onSaved();
    });
  return (
    <section className="card stack" aria-labelledby="dicom-certificate">
      <h2 id="dicom-certificate">{text("dicom.certificate")}</h2>
      <p className="quiet">{text("dicom.certificateText")}</p>
      {certificate ? (
        <>
          <FactList
            facts={[
              [text("dicom.certificate"), certificate.subject],
              [text("settings.validUntil"), format.day(certificate.until)],
              [text("dicom.certificateFingerprint"), <Fingerprint key="fingerprint" hex={certificate.fingerprint} />],
            ]}
          />
          <TextArea
            label={text("dicom.certificatePem")}
            className="input data"
            value={certificate.pem}
            rows={3}
            readOnly
            spellCheck={false}
          />
        </>
      ) : (
        <p>{text("dicom.noCertificate")}</p>
      )}
      <div className="row">
        <Button onClick={() => (certificate ? setDialog("replace") : save({ pem: null }))}>
          {text(certificate ? "dicom.replaceCertificate" : "dicom.makeCertificate")}
        </Button>
        <Button tone="plain" onClick={() => setDialog("use")}>
          {text("dicom.useCertificate")}
        </Button>
      </div>
      <Question
        isOpen={dialog === "replace"}
        title={text("dicom.replaceCertificate")}
        description={text("dicom.replaceCertificateText")}
        confirm={text("dicom.makeCertificate")}
        onCancel={() => setDialog(null)}
        onConfirm={() => save({ pem: null })}
      />
      {dialog === "use" && <UseCertificate onClose={() => setDialog(null)} onUse={save} />}
    </section>
  );
}

function UseCertificate({ onClose, onUse }: { readonly onClose: () => void; readonly onUse: (given: Given) => void }) {
  const text = useText();
  const [pem, setPem] = useState("");
  return (
    <FormDialog
      title={text("dicom.certificate")}
      description={text("dicom.useCertificateText")}
      submit={text("dicom.useCertificateDo")}
      canSubmit={pem.trim() !== ""}
      onSubmit={() => onUse({ pem })}
      onClose={onClose}
    >
      <TextArea
        label="PEM"
        className="input data"
        value={pem}
        rows={10}
        spellCheck={false}
        onChange={(event) => setPem(event.target.value)}
      />
    </FormDialog>
  );
}
