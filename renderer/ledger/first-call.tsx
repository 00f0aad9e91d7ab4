import { call } from "../state/connection.ts";
import { attempt } from "../state/faults.ts";
import { useChannel } from "../state/queries.ts";
import { Button } from "../ui/button.tsx";
import { FactList } from "../ui/facts.tsx";
import { useText } from "../ui/language/language.ts";
import { showToast } from "../ui/notes/toasts.ts";
import { saveTextFile } from "../ui/save-file.ts";

export function FirstCall() {
  const text = useText();
  const server = useChannel("server.get", {}).value;
  if (!server) return null;
  const { file } = server.authority;
  const command = `curl --cacert "${file}" -H "x-api-key: KEY" ${server.url}/v3/health`;
  const copy = () =>
    attempt(async () => {
      await navigator.clipboard.writeText(command);
      showToast("note", text("ledger.copied"));
    });
  return (
    <section className="card stack" aria-label={text("ledger.firstCall")}>
      <h2>{text("ledger.firstCall")}</h2>
      <p>{text("ledger.firstCallText")}</p>
      <FactList
        facts={[
          [text("common.address"), server.url],
          [text("ledger.authorityFile"), file],
        ]}
      />
      <output className="first-call data">{command}</output>
      <div className="row">
        <Button icon="copy" onClick={copy}>
          {text("ledger.copyCall")}
        </Button>
        <Button icon="download" onClick={() => attempt(async () => saveTextFile(await call("server.authority", {})))}>
          {text("settings.saveAuthority")}
        </Button>
      </div>
    </section>
  );
}
