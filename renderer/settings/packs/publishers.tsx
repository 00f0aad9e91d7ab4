import { useState } from "react";
import { call } from "../../state/connection.ts";
import { attempt } from "../../state/faults.ts";
import { useProgram } from "../../state/program.ts";
import { useAsked } from "../../state/use-asked.ts";
import { Button } from "../../ui/button.tsx";
import { Failed, Loading } from "../../ui/empty.tsx";
import { TextArea, TextField } from "../../ui/fields/field.tsx";
import { useText } from "../../ui/language/language.ts";

/** Whose released packs may say that they are clinically validated. */
export function Publishers({ onChange }: { readonly onChange: () => void }) {
  const text = useText();
  const version = useProgram((state) => state.changes["publishers.changed"]);
  const { value, fault, reload } = useAsked("publishers.list", {}, version);
  const [name, setName] = useState("");
  const [key, setKey] = useState("");
  const change = (work: () => Promise<unknown>) =>
    attempt(async () => {
      await work();
      reload();
      onChange();
    });
  const add = () =>
    change(async () => {
      await call("publishers.add", { name, key });
      setName("");
      setKey("");
    });
  if (fault) return <Failed fault={fault} onRetry={reload} />;
  if (!value) return <Loading label={text("common.loading")} />;
  return (
    <section className="card stack" aria-label={text("settings.publishers")}>
      <h2>{text("settings.publishers")}</h2>
      <p>{text("settings.publishersText")}</p>
      {value.publishers.length === 0 && <p className="quiet">{text("settings.noPublishers")}</p>}
      {value.publishers.map((publisher) => (
        <div key={publisher.fingerprint} className="row spread">
          <span>
            {publisher.name} <span className="data quiet fine">{publisher.fingerprint}</span>
          </span>
          <Button onClick={() => change(() => call("publishers.remove", { fingerprint: publisher.fingerprint }))}>
            {text("settings.removePublisher", { name: publisher.name })}
          </Button>
        </div>
      ))}
      <TextField
        label={text("settings.publisherName")}
        value={name}
        maxLength={100}
        onChange={(event) => setName(event.target.value)}
      />
      <TextArea
        label={text("settings.publisherKey")}
        note={text("settings.publisherKeyNote")}
        value={key}
        spellCheck={false}
        onChange={(event) => setKey(event.target.value)}
      />
      <div className="row">
        <Button disabled={name.trim() === "" || key.trim() === ""} onClick={add}>
          {text("settings.addPublisher")}
        </Button>
      </div>
    </section>
  );
}
