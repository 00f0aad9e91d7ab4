import type { DesktopRequest } from "../../core/contract/desktop.ts";
import { hostName, type ServerState } from "../../core/contract/desktop/program.ts";
import { call } from "../state/connection.ts";
import { attempt } from "../state/faults.ts";
import { useChannel } from "../state/queries.ts";
import { Button } from "../ui/button.tsx";
import { Loaded, Empty, Notice } from "../ui/empty.tsx";
import { FactList } from "../ui/facts.tsx";
import { Switch } from "../ui/fields/field.tsx";
import { SavedText } from "./saved-text.tsx";
import { useFormat } from "../ui/language/format.ts";
import { useText } from "../ui/language/language.ts";
import { saveTextFile } from "../ui/save-file.ts";
import { Table } from "../ui/table.tsx";
import { Fingerprint } from "./fingerprint.tsx";

const apiRoutes = /^\/(v3|usg|eu)\b/;
const shownRequests = 100;

export function LocalService() {
  const query = useChannel("server.get", {});
  return (
    <div className="stack">
      <Loaded query={query}>
        {(server) => (
          <>
            <div className="settings-columns">
              <Address server={server} onChange={query.setValue} />
              <Certificate server={server} />
            </div>
            <Requests />
          </>
        )}
      </Loaded>
    </div>
  );
}

function Address({
  server,
  onChange,
}: {
  readonly server: ServerState;
  readonly onChange: (server: ServerState) => void;
}) {
  const text = useText();
  const configure = async (change: DesktopRequest<"server.configure">) =>
    onChange(await call("server.configure", change));
  const faultOf = (names: string) => {
    const wrong = listed(names).filter((name) => !hostName.safeParse(name).success);
    return wrong.length > 0 ? text("dicom.linesFault", { lines: wrong.join(", ") }) : null;
  };
  return (
    <section className="card stack">
      <h2>{text("common.address")}</h2>
      <p>{text("settings.running")}</p>
      <output className="data address">{server.url}</output>
      <SavedText
        name="hostNames"
        label={text("settings.hostNames")}
        note={text("settings.hostNamesNote")}
        value={server.hostNames.join("\n")}
        faultOf={faultOf}
        rows={2}
        onSave={(names) => configure({ hostNames: listed(names) })}
      />
      <Switch
        label={text("settings.plainHttp")}
        isOn={server.isPlainHttpAllowed}
        onChange={(isPlainHttpAllowed) => attempt(() => configure({ isPlainHttpAllowed }))}
      />
      {server.needsRestart && <Notice tone="review">{text("settings.needsRestart")}</Notice>}
    </section>
  );
}

function listed(names: string): string[] {
  return names.split(/\s+/).filter(Boolean);
}

function Certificate({ server }: { readonly server: ServerState }) {
  const text = useText();
  const format = useFormat();
  return (
    <section className="card stack">
      <h2>{text("settings.certificate")}</h2>
      <p>{text("settings.certificateText")}</p>
      {server.renewal && (
        <Notice tone="review">{text("settings.authorityRenewal", { day: format.day(server.renewal.at) })}</Notice>
      )}
      <ul className="bullets quiet">
        <li>{text("settings.trustWindows")}</li>
        <li>{text("settings.trustMac")}</li>
        <li>{text("settings.trustLinux")}</li>
      </ul>
      <FactList
        facts={[
          [text("settings.validUntil"), format.day(server.authority.notAfter)],
          [text("settings.fingerprint"), <Fingerprint key="fingerprint" hex={server.authority.fingerprintSha256} />],
        ]}
      />
      <div className="row">
        <Button icon="download" onClick={() => attempt(async () => saveTextFile(await call("server.authority", {})))}>
          {text("settings.saveAuthority")}
        </Button>
      </div>
    </section>
  );
}

function Requests() {
  const text = useText();
  const format = useFormat();
  const query = useChannel("server.requests", {});
  return (
    <section className="stack">
      <div className="row heading">
        <h2>{text("settings.requests")}</h2>
        <span className="quiet">{text("settings.requestsNote")}</span>
      </div>
      <Loaded query={query}>
        {({ requests }) => {
          const calls = requests.filter(({ route }) => apiRoutes.test(route)).slice(0, shownRequests);
          return calls.length === 0 ? (
            <Empty icon="info" title={text("settings.noRequests")} />
          ) : (
            <Table
              heads={[
                text("ledger.at"),
                text("settings.route"),
                { number: text("common.status") },
                { number: text("settings.duration") },
              ]}
            >
              {calls.map((request, index) => (
                <tr key={index}>
                  <td className="data">{format.clock(request.at)}</td>
                  <td className="data">
                    {request.method} {request.route}
                  </td>
                  <td className="number">{request.status}</td>
                  <td className="number">{format.number(request.elapsedMs, 0)} ms</td>
                </tr>
              ))}
            </Table>
          );
        }}
      </Loaded>
    </section>
  );
}
