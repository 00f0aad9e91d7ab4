import { useState } from "react";
import { call } from "../state/connection.ts";
import { attempt } from "../state/faults.ts";
import { usePeople } from "../state/people.ts";
import { useProgram } from "../state/program.ts";
import { Button } from "../ui/button.tsx";
import { Choice, TextField } from "../ui/fields/field.tsx";
import { NewSecret, useNewSecret } from "../ui/fields/new-secret.tsx";
import { useText } from "../ui/language/language.ts";
import { SavedText } from "../ui/fields/saved-text.tsx";

/** Whether one person uses the program, who signs with a name, or several, who sign in. */
export function PeopleStep() {
  const text = useText();
  const isOn = usePeople((state) => state.session?.isOn === true);
  const [who, setWho] = useState<"one" | "several">("one");
  const { settings, save } = useProgram();
  if (!settings) return null;
  if (isOn) return <p>{text("welcome.signInIsOn")}</p>;
  return (
    <>
      <p>{text("welcome.peopleText")}</p>
      <Choice
        label={text("welcome.who")}
        value={who}
        onChoose={setWho}
        options={[
          { value: "one", label: text("welcome.one") },
          { value: "several", label: text("welcome.several") },
        ]}
      />
      {who === "one" ? (
        <SavedText
          label={text("settings.userName")}
          note={text("settings.userNameNote")}
          value={settings.userName}
          maxLength={100}
          onSave={(userName) => attempt(() => save({ userName }))}
        />
      ) : (
        <FirstAdministrator name={settings.userName} />
      )}
    </>
  );
}

/** The user who sets up the program is the first administrator; others are added in the settings. */
function FirstAdministrator({ name: given }: { readonly name: string }) {
  const text = useText();
  const [name, setName] = useState(given);
  const typed = useNewSecret();
  const { secret } = typed;
  const canTurnOn = name.trim() !== "" && typed.isGood;
  const turnOn = () =>
    attempt(async () => {
      const { people } = await call("people.add", { name: name.trim(), role: "administrator", secret });
      const me = people.find((person) => person.name === name.trim());
      if (me) usePeople.getState().receive(await call("people.turnOn", { personId: me.id, secret }));
    });
  return (
    <>
      <p className="quiet">{text("welcome.severalText")}</p>
      <TextField
        label={text("people.name")}
        value={name}
        maxLength={100}
        onChange={(event) => setName(event.target.value)}
      />
      <NewSecret label={text("people.secretOf")} typed={typed} />
      <div className="row">
        <Button disabled={!canTurnOn} onClick={turnOn}>
          {text("people.turnOn")}
        </Button>
      </div>
    </>
  );
}
