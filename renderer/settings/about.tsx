import type { DesktopResponse } from "../../core/contract/desktop.ts";
import { faultInWords } from "../../core/language/failure-in-words.ts";
import { call } from "../state/connection.ts";
import { attempt } from "../state/faults.ts";
import { useMay } from "../state/people.ts";
import { useAsked } from "../state/use-asked.ts";
import { Button } from "../ui/button.tsx";
import { Failed, Loading, Notice } from "../ui/empty.tsx";
import { useFormat } from "../ui/language/format.ts";
import { useText } from "../ui/language/language.ts";
import { Updates } from "./updates.tsx";
import { saveUrl } from "../ui/save-file.ts";

/** What this program is, what it runs on, what went wrong lately, and whose work it stands on. */
export function About() {
  const text = useText();
  const format = useFormat();
  const { value, fault, reload } = useAsked("app.about", {});
  const faults = useAsked("app.faults", {});
  const mayAdminister = useMay("administer");
  if (fault) return <Failed fault={fault} onRetry={reload} />;
  if (!value) return <Loading label={text("common.loading")} />;
  return (
    <div className="settings-columns">
      <section className="card stack">
        <h2>Corvet</h2>
        <span className="data">{text("settings.version", { version: value.programVersion })}</span>
        <p>{text("settings.purpose")}</p>
        <Notice tone="review">{text("settings.honest")}</Notice>
        {value.database !== null && (
          <>
            <h3>{text("database.now")}</h3>
            <p>
              {text("database.inDatabase")} <span className="data">{value.database}</span>
            </p>
          </>
        )}
        <h3>{text("settings.runtime")}</h3>
        <dl className="facts">
          {value.runtime.map(({ name, version }) => (
            <div key={name} className="fact">
              <dt>{name}</dt>
              <dd className="data">{version}</dd>
            </div>
          ))}
        </dl>
        {mayAdminister && <SupportBundle />}
        <h3>{text("settings.faults")}</h3>
        {faults.fault ? (
          <Failed fault={faults.fault} onRetry={faults.reload} />
        ) : !faults.value ? (
          <Loading label={text("common.loading")} />
        ) : faults.value.faults.length > 0 ? (
          faults.value.faults.map((each) => (
            <Notice key={each.at} tone="review">
              {format.minute(each.at)} · {faultInWords(each, text)}
            </Notice>
          ))
        ) : (
          <p className="quiet">{text("settings.noFaults")}</p>
        )}
      </section>
      <div className="stack">
        <Updates />
        <TrainingSources sources={value.trainingSources} />
      </div>
      <section className="card stack">
        <h2>{text("settings.licences")}</h2>
        <div className="licences" tabIndex={0} role="group" aria-label={text("settings.licences")}>
          <table className="grid-table">
            <tbody>
              {value.licences.map(({ name, version, licence }) => (
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
          {value.licenceText}
        </pre>
      </section>
    </div>
  );
}

/** What the makers need to find a fault. */
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

/** Whose films and values the networks have learned from. */
function TrainingSources({ sources }: { readonly sources: DesktopResponse<"app.about">["trainingSources"] }) {
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
