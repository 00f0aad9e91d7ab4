import { useState } from "react";
import { call } from "../../state/connection.ts";
import { attempt } from "../../state/faults.ts";
import { useProgram } from "../../state/program.ts";
import { useAsked } from "../../state/use-asked.ts";
import { Button } from "../../ui/button.tsx";
import { Answered } from "../../ui/empty.tsx";
import { TextArea, TextField } from "../../ui/fields/field.tsx";
import { useText } from "../../ui/language/language.ts";

/** Whose released packs may say that they are clinically validated. */
export function Publishers({ onChange }: { readonly onChange: () => void }) {
  const text = useText();
  // Publishers are told of before the packs have been read again.
  const version = useProgram(({ changes }) => changes["publishers.changed"] + changes["packs.changed"]);
  const asked = useAsked("publishers.list", {}, version);
  const [name, setName] = useState("");
  const [key, setKey] = useState("");
  const change = (work: () => Promise<unknown>) =>
    attempt(async () => {
      await work();
      asked.reload();
      onChange();
    });
  const add = () =>
    change(async () => {
      await call("publishers.add", { name, key });
      setName("");
      setKey("");
    });
  return (
    <section className="card stack" aria-label={text("settings.publishers")}>
      <h2>{text("settings.publishers")}</h2>
      <p>{text("settings.publishersText")}</p>
      <Answered asked={asked}>
        {({ publishers }) =>
          publishers.length === 0 ? (
            <p className="quiet">{text("settings.noPublishers")}</p>
          ) : (
            publishers.map(({ name, fingerprint }) => (
              <div key={fingerprint} className="row spread">
                <span>
                  {name} <span className="data quiet fine">{fingerprint}</span>
                </span>
                <Button onClick={() => change(() => call("publishers.remove", { fingerprint }))}>
                  {text("settings.removePublisher", { name })}
                </Button>
              </div>
            ))
          )
        }
      </Answered>
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
