import { useProgram } from "../../state/program.ts";
import { useAsked } from "../../state/use-asked.ts";
import { Failed, Loading, Stale } from "../../ui/empty.tsx";
import { useText } from "../../ui/language/language.ts";
import { DicomCertificate } from "./dicom-certificate.tsx";
import { DicomLog } from "./dicom-log.tsx";
import { DicomNodes } from "./dicom-nodes.tsx";
import { DicomReceiver, DicomReceiverState } from "./dicom-receiver.tsx";

/** Receiving films by DICOM, and the nodes to which results are sent. */
export function DicomSettings() {
  const text = useText();
  const version = useProgram((state) => state.changes["dicom.changed"]);
  const { value, fault, take, staleFault, reload } = useAsked("dicom.get", {}, version);
  if (fault) return <Failed fault={fault} onRetry={reload} />;
  if (!value) return <Loading label={text("common.loading")} />;
  return (
    <div className="stack dicom">
      <Stale fault={staleFault} onRetry={reload} />
      <div className="settings-columns">
        <DicomReceiver state={value} onChange={take} />
        <div className="stack dicom-side">
          <DicomReceiverState state={value} />
          <DicomCertificate />
          <DicomLog />
        </div>
      </div>
      <DicomNodes />
    </div>
  );
}
