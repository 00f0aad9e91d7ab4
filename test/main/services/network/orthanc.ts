import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

const program = "/usr/sbin/Orthanc";
const webPlugin = "/usr/share/orthanc/plugins/libOrthancDicomWeb.so";

export const hasOrthanc = [program, webPlugin].every((file) => existsSync(file));
if (!hasOrthanc) console.log("skipped: Orthanc is not installed (Debian: orthanc, orthanc-dicomweb)");

export type OrthancOptions = {
  readonly dicomPort: number;
  /** Port to which it moves objects and sends commitment reports. */
  readonly ownPort: number;
  readonly web?: { readonly port: number; readonly settings?: object };
};

export function spawnOrthanc(folder: string, { dicomPort, ownPort, web }: OrthancOptions): ChildProcess {
  const config = path.join(folder, `orthanc-${dicomPort}.json`);
  const storage = path.join(folder, `orthanc-${dicomPort}`);
  mkdirSync(storage, { recursive: true });
  const settings = {
    ...{ Name: "PACS", DicomAet: "PACS", DicomPort: dicomPort, DicomCheckCalledAet: false },
    ...{ StorageDirectory: storage, IndexDirectory: storage, HttpServerEnabled: web !== undefined },
    ...{ DicomAlwaysAllowFind: true, DicomAlwaysAllowMove: true, DicomAlwaysAllowGet: true },
    DicomModalities: { corvet: ["CORVET", "127.0.0.1", ownPort] },
    Plugins: web ? [webPlugin] : [],
    ...(web && { HttpPort: web.port, RemoteAccessAllowed: false, AuthenticationEnabled: false, ...web.settings }),
    DicomWeb: { Enable: true, Root: "/dicom-web/" },
  };
  writeFileSync(config, JSON.stringify(settings));
  return spawn(program, [config], { stdio: "ignore" });
}
