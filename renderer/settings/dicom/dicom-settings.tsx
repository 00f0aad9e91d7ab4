import { useChannel } from "../../state/queries.ts";
import { Loaded } from "../../ui/empty.tsx";
import { DicomCertificate } from "./dicom-certificate.tsx";
import { DicomLog } from "./dicom-log.tsx";
import { DicomNodes } from "./dicom-nodes.tsx";
import { DicomReceiver, DicomReceiverState } from "./dicom-receiver.tsx";

export function DicomSettings() {
  const query = useChannel("dicom.get", {});
  return (
    <div className="stack dicom">
      <Loaded query={query}>
        {(state) => (
          <>
            <div className="settings-columns">
              <DicomReceiver state={state} onChange={query.setValue} />
              <div className="stack dicom-side">
                <DicomReceiverState state={state} />
                <DicomCertificate />
                <DicomLog />
              </div>
            </div>
            <DicomNodes />
          </>
        )}
      </Loaded>
    </div>
  );
}
