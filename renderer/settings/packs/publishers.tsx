import { useState } from "react";
import { call } from "../../state/connection.ts";
import { attempt } from "../../state/faults.ts";
import { useOnce } from "../../state/use-once.ts";
import { useChannel } from "../../state/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Loaded } from "../../ui/empty.tsx";
import { Form } from "../../ui/fields/form.tsx";
import { TextArea, TextField } from "../../ui/fields/field.tsx";
import { useText } from "../../ui/language/language.ts";

export function Publishers() {
  const text = useText();
  const query = useChannel("publishers.list", {});
  const [name, setName] = useState("");
  const [key, setKey] = useState("");
  const once = useOnce();
  const add = () =>
    once(async () => {
      await call("publishers.add", { name, key });
      setName("");
      setKey("");
    });
  return (
    <section className="card" aria-label={text("settings.publishers")}>
      <Form className="stack" onSubmit={add}>
        <h2>{text("settings.publishers")}</h2>
        <p>{text("settings.publishersText")}</p>
        <Loaded query={query}>
          {({ publishers }) =>
            publishers.length === 0 ? (
              <p className="quiet">{text("settings.noPublishers")}</p>
            ) : (
              publishers.map(({ name, fingerprint }) => (
                <div key={fingerprint} className="row spread">
                  <span>
                    {name} <span className="data quiet fine">{fingerprint}</span>
                  </span>
                  <Button onClick={() => attempt(() => call("publishers.remove", { fingerprint }))}>
                    {text("settings.removePublisher", { name })}
                  </Button>
                </div>
              ))
            )
          }
        </Loaded>
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
          <Button type="submit" disabled={name.trim() === "" || key.trim() === ""}>
            {text("settings.addPublisher")}
          </Button>
        </div>
      </Form>
    </section>
  );
}
