import { useState } from "react";
import { call } from "../../state/connection.ts";
import { attempt } from "../../state/faults.ts";
import { useAsked } from "../../state/use-asked.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, Question } from "../../ui/dialog.tsx";
import { Loading, Notice } from "../../ui/empty.tsx";
import { TextArea } from "../../ui/field.tsx";
import { useFormat } from "../../ui/language/format.ts";
import { useText } from "../../ui/language/language.ts";

/** The certificate by which other systems recognise this program; its key never comes to the page. */
export function DicomCertificate() {
  const text = useText();
  const format = useFormat();
  const { value, fault, reload } = useAsked("dicom.certificate", {});
  const [dialog, setDialog] = useState<"replace" | "use" | null>(null);
  if (fault) return <Notice tone="fault">{fault}</Notice>;
  if (!value) return <Loading label={text("common.loading")} />;
  const { certificate } = value;
  const save = (pem: string | null) =>
    attempt(async () => {
      await call("dicom.saveCertificate", { pem });
      setDialog(null);
      reload();
    });
  return (
    <section className="card stack" aria-labelledby="dicom-certificate">
      <h2 id="dicom-certificate">{text("dicom.certificate")}</h2>
      <p className="quiet">{text("dicom.certificateText")}</p>
      {certificate ? (
        <>
          <dl className="facts">
            <div className="fact">
              <dt>{text("dicom.certificate")}</dt>
              <dd>{certificate.subject}</dd>
            </div>
            <div className="fact">
              <dt>{text("dicom.certificateUntil")}</dt>
              <dd className="data">{format.day(certificate.until)}</dd>
            </div>
            <div className="fact">
              <dt>{text("dicom.certificateFingerprint")}</dt>
              <dd className="data dicom-fingerprint">{certificate.fingerprint}</dd>
            </div>
          </dl>
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
        <Button onClick={() => (certificate ? setDialog("replace") : save(null))}>
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
        onConfirm={() => save(null)}
      />
      {dialog === "use" && <UseCertificate onClose={() => setDialog(null)} onUse={save} />}
    </section>
  );
}

function UseCertificate({ onClose, onUse }: { readonly onClose: () => void; readonly onUse: (pem: string) => void }) {
  const text = useText();
  const [pem, setPem] = useState("");
  const foot = (
    <>
      <Button tone="plain" onClick={onClose}>
        {text("common.cancel")}
      </Button>
      <Button tone="primary" disabled={pem.trim() === ""} onClick={() => onUse(pem)}>
        {text("dicom.useCertificateDo")}
      </Button>
    </>
  );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text("dicom.certificate")}
      description={text("dicom.useCertificateText")}
      foot={foot}
    >
      <TextArea
        label="PEM"
        className="input data"
        value={pem}
        rows={10}
        spellCheck={false}
        onChange={(event) => setPem(event.target.value)}
      />
    </Dialog>
  );
}
