import { useEffect, useState } from "react";
import { call } from "../state/connection.ts";
import { attempt } from "../state/faults.ts";
import { useStartAtLogIn } from "../state/upkeep/start-at-log-in.ts";
import { useChannel } from "../state/queries.ts";
import { Loaded, Notice } from "../ui/empty.tsx";
import { Switch } from "../ui/fields/field.tsx";
import { useText } from "../ui/language/language.ts";

/** Sources of films other than files: a camera, and the X-ray unit over DICOM. */
export function DevicesStep() {
  const text = useText();
  const cameras = useCameraCount();
  const logIn = useStartAtLogIn();
  const query = useChannel("dicom.get", {});
  return (
    <>
      <h3>{text("capture.camera")}</h3>
      <p>{text("welcome.cameras", { count: cameras })}</p>
      <h3>{text("dicom.receive")}</h3>
      <p>{text("welcome.receiverText")}</p>
      <Loaded query={query}>
        {(dicom) => (
          <>
            <Switch
              label={text("dicom.isOn")}
              isOn={dicom.receiver.isOn}
              onChange={(isOn) =>
                attempt(async () => {
                  await call("dicom.configure", { isOn });
                  query.reload();
                })
              }
            />
            <p className="data quiet">
              {text("welcome.receiver", { aeTitle: dicom.receiver.aeTitle, port: String(dicom.receiver.port) })}
            </p>
            {logIn && <Switch label={text("settings.startsAtLogIn")} isOn={logIn.isOn} onChange={logIn.turn} />}
            {logIn && <p className="quiet">{text("settings.startsAtLogInNote")}</p>}
            {dicom.fault && <Notice tone="fault">{text(`dicom.fault_${dicom.fault}`, dicom.receiver)}</Notice>}
          </>
        )}
      </Loaded>
    </>
  );
}

/** Cameras of this computer; none if the browser does not list them. */
function useCameraCount(): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    navigator.mediaDevices
      ?.enumerateDevices()
      .then((devices) => setCount(devices.filter(({ kind }) => kind === "videoinput").length))
      .catch(() => undefined);
  }, []);
  return count;
}
