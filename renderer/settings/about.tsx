import type { DesktopResponse } from "../../core/contract/desktop.ts";
import { faultInWords } from "../../core/language/failure-in-words.ts";
import { call } from "../state/connection.ts";
import { attempt } from "../state/faults.ts";
import { usePermission } from "../state/people.ts";
import { useChannel } from "../state/queries.ts";
import { Button } from "../ui/button.tsx";
import { Loaded, Notice } from "../ui/empty.tsx";
import { FactList } from "../ui/facts.tsx";
import { useFormat } from "../ui/language/format.ts";
import { useText } from "../ui/language/language.ts";
import { Updates } from "./updates.tsx";
import { saveUrl } from "../ui/save-file.ts";

export function About() {
  const query = useChannel("app.about", {});
  return (
    <div className="stack">
      <Loaded query={query}>{(about) => <Program about={about} />}</Loaded>
    </div>
  );
}

function Program({ about }: { readonly about: DesktopResponse<"app.about"> }) {
  const text = useText();
  const mayAdminister = usePermission("administer");
  const licences = useChannel("app.licences", {});
  return (
    <div className="settings-flow">
      <section className="card stack">
        <h2>Corvet</h2>
        <span className="data">{text("settings.version", { version: about.programVersion })}</span>
        <p>{text("settings.purpose")}</p>
        <Notice tone="review">{text("settings.honest")}</Notice>
        {about.database !== null && (
          <>
            <h3>{text("database.now")}</h3>
            <p>
              {text("database.inDatabase")} <span className="data">{about.database}</span>
            </p>
          </>
        )}
        <RecentFaults />
        {mayAdminister && <SupportBundle />}
        <h3>{text("settings.runtime")}</h3>
        <FactList facts={about.runtime.map(({ name, version }) => [name, version])} />
      </section>
      <Updates />
      <Loaded query={licences}>{({ trainingSources }) => <TrainingSources sources={trainingSources} />}</Loaded>
      <Loaded query={licences}>{(value) => <Licences {...value} />}</Loaded>
    </div>
  );
}

function Licences({ licences, licenceText }: Pick<DesktopResponse<"app.licences">, "licences" | "licenceText">) {
  const text = useText();
  return (
    <section className="card stack">
      <h2>{text("settings.licences")}</h2>
      <div className="licences" tabIndex={0} role="group" aria-label={text("settings.licences")}>
        <table className="grid-table">
          <tbody>
            {licences.map(({ name, version, licence }) => (
              <tr key={name}>
                <td>{name}</td>
                <td className="data quiet">{version}</td>
                <td>{licence}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <pre className="pack-card data" tabIndex={0}>
        {licenceText}
      </pre>
    </section>
  );
}

function RecentFaults() {
  const text = useText();
  const format = useFormat();
  return (
    <>
      <h3>{text("settings.faults")}</h3>
      <Loaded query={useChannel("app.faults", {})}>
        {({ faults }) =>
          faults.length === 0 ? (
            <p className="quiet">{text("settings.noFaults")}</p>
          ) : (
            faults.map((each) => (
              <Notice key={each.at} tone="review">
                {format.minute(each.at)} · {faultInWords(each, text)}
              </Notice>
            ))
          )
        }
      </Loaded>
    </>
  );
}

function SupportBundle() {
  const text = useText();
  const save = () =>
    attempt(async () => {
      const { download } = await call("app.supportBundle", {});
      saveUrl(download.url, download.fileName);
    });
  return (
    <>
      <h3>{text("settings.support")}</h3>
      <p>{text("settings.supportText")}</p>
      <div className="row">
        <Button onClick={save}>{text("settings.saveSupport")}</Button>
      </div>
    </>
  );
}

function TrainingSources({ sources }: { readonly sources: DesktopResponse<"app.licences">["trainingSources"] }) {
  const text = useText();
  return (
    <section className="card stack">
      <h2>{text("settings.trainingSources")}</h2>
      <p className="quiet fine">{text("settings.trainingSourcesNote")}</p>
      <div className="licences" tabIndex={0} role="group" aria-label={text("settings.trainingSources")}>
        <table className="grid-table">
          <tbody>
            {sources.map(({ pack, source }) => (
              <tr key={`${pack} ${source}`}>
                <td className="data quiet">{pack}</td>
                <td>{source}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
