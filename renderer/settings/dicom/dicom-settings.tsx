import { useProgram } from "../../state/program.ts";
import { useAsked } from "../../state/use-asked.ts";
import { Answered } from "../../ui/empty.tsx";
import { DicomCertificate } from "./dicom-certificate.tsx";
import { DicomLog } from "./dicom-log.tsx";
import { DicomNodes } from "./dicom-nodes.tsx";
import { DicomReceiver, DicomReceiverState } from "./dicom-receiver.tsx";

/** Receiving films by DICOM, and the nodes to which results are sent. */
export function DicomSettings() {
  const version = useProgram((state) => state.changes["dicom.changed"]);
  const asked = useAsked("dicom.get", {}, version);
  return (
    <div className="stack dicom">
      <Answered asked={asked}>
        {(state) => (
          <>
            <div className="settings-columns">
              <DicomReceiver state={state} onChange={asked.take} />
              <div className="stack dicom-side">
                <DicomReceiverState state={state} />
                <DicomCertificate />
                <DicomLog />
              </div>
            </div>
            <DicomNodes />
          </>
        )}
      </Answered>
    </div>
  );
}
