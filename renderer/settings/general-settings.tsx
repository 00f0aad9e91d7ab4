import { maxDaysKept, type Settings } from "../../core/contract/desktop/settings.ts";
import { formatLocales, languageCodes, languages } from "../../core/language/languages.ts";
import { attempt } from "../state/faults.ts";
import { usePermission, usePeople } from "../state/people.ts";
import { useProgram } from "../state/program.ts";
import { Button } from "../ui/button.tsx";
import { Choice, Switch } from "../ui/fields/field.tsx";
import { formatsOf } from "../ui/language/format.ts";
import { useLanguage, useText } from "../ui/language/language.ts";
import { runCommand } from "../ui/keys/shortcuts.ts";
import { SavedText } from "./saved-text.tsx";
import { WholeNumber } from "./whole-number.tsx";
import { LetterheadSettings } from "./letterhead-settings.tsx";
import { TryOut } from "./try-out.tsx";
import { useState } from "react";
import { call } from "../state/connection.ts";
import { useChannel } from "../state/queries.ts";

export function GeneralSettings() {
  const text = useText();
  const shown = useLanguage((state) => languages[state.language]);
  const settings = useProgram((state) => state.settings);
  const save = useProgram((state) => state.save);
  const mayAdminister = usePermission("administer");
  const logIn = useStartAtLogIn();
  const peopleSignIn = usePeople((state) => state.session?.isOn === true);
  if (!settings) return null;
  const set = (change: Partial<Settings>) => attempt(() => save(change));
  return (
    <div className="settings-flow">
      <section className="card stack">
        <h2>{text("settings.appearance")}</h2>
        <Choice
          label={text("settings.language")}
          value={settings.language}
          onChoose={(language) => set({ language })}
          options={[
            { value: "system", label: text("settings.likeSystem") },
            ...languageCodes.map((value) => ({ value, label: languages[value].name })),
          ]}
        />
        <Choice
          label={text("settings.numbersAndDates")}
          value={settings.locale}
          onChoose={(locale) => set({ locale })}
          options={[
            { value: "language", label: text("settings.likeLanguage") },
            ...formatLocales.map((value) => ({ value, label: exampleOf(value) })),
          ]}
        />
        {!shown.isProofread && <p className="quiet fine">{text("settings.notProofread", { language: shown.name })}</p>}
        <Choice
          label={text("settings.theme")}
          value={settings.theme}
          onChoose={(theme) => set({ theme })}
          options={[
            { value: "dark", label: text("settings.dark") },
            { value: "light", label: text("settings.light") },
            { value: "system", label: text("settings.likeSystem") },
          ]}
        />
        {logIn && (
          <>
            <Switch label={text("settings.startsAtLogIn")} isOn={logIn.isOn} onChange={logIn.turn} />
            <p className="quiet fine">{text("settings.startsAtLogInNote")}</p>
          </>
        )}
        <div className="row spread">
          <span>{text("settings.shortcuts")}</span>
          <Button icon="keyboard" onClick={() => runCommand("shortcuts.show")}>
            {text("settings.showShortcuts")}
          </Button>
        </div>
      </section>
      {mayAdminister && <FilmSettings settings={settings} onSave={save} />}
      <TryOut />
      {mayAdminister && <PracticeSettings settings={settings} asksForName={!peopleSignIn} onSave={save} />}
    </div>
  );
}

type PracticeProps = {
  readonly settings: Settings;
  readonly asksForName: boolean;
  readonly onSave: (change: Partial<Settings>) => Promise<void>;
};

function PracticeSettings({ settings, asksForName, onSave }: PracticeProps) {
  const text = useText();
  return (
    <section className="card stack">
      <h2>{text("settings.person")}</h2>
      {asksForName && (
        <SavedText
          name="userName"
          label={text("settings.userName")}
          note={text("settings.userNameNote")}
          value={settings.userName}
          maxLength={100}
          onSave={(userName) => onSave({ userName })}
        />
      )}
      <SavedText
        name="clinicName"
        label={text("settings.clinicName")}
        value={settings.clinicName}
        maxLength={200}
        onSave={(clinicName) => onSave({ clinicName })}
      />
      <SavedText
        name="clinicCode"
        label={text("settings.clinicCode")}
        note={text("settings.clinicCodeNote")}
        value={settings.clinicCode}
        maxLength={200}
        onSave={(clinicCode) => onSave({ clinicCode })}
      />
      <LetterheadSettings letterhead={settings} onSave={onSave} />
    </section>
  );
}

function FilmSettings({ settings, onSave }: Pick<PracticeProps, "settings" | "onSave">) {
  const text = useText();
  const set = (change: Partial<Settings>) => attempt(() => onSave(change));
  return (
    <section className="card stack">
      <h2>{text("common.screen_films")}</h2>
      <Switch
        label={text("settings.measuresOnArrival")}
        isOn={settings.measuresOnArrival}
        onChange={(measuresOnArrival) => set({ measuresOnArrival })}
      />
      <Switch
        label={text("settings.opensVisitBefore")}
        isOn={settings.opensVisitBefore}
        onChange={(opensVisitBefore) => set({ opensVisitBefore })}
      />
      <Choice
        label={text("settings.keepImages")}
        value={settings.keepImages}
        onChoose={(keepImages) => set({ keepImages })}
        options={(["until_removed", "days", "while_open"] as const).map((value) => ({
          value,
          label: text(`settings.keep_${value}`),
        }))}
      />
      {settings.keepImages === "days" && (
        <WholeNumber
          name="keepImagesDays"
          label={text("settings.keepDays")}
          value={settings.keepImagesDays}
          most={maxDaysKept}
          onSave={(keepImagesDays) => onSave({ keepImagesDays })}
        />
      )}
    </section>
  );
}

function exampleOf(locale: (typeof formatLocales)[number]): string {
  const { number, day } = formatsOf("en", locale);
  return `${number(1234.5, 1)} · ${day("2026-12-31T12:00:00")}`;
}

/** null if unavailable or managed by the system. */
function useStartAtLogIn(): { readonly isOn: boolean; readonly turn: (isOn: boolean) => void } | null {
  const mayAdminister = usePermission("administer");
  const { value } = useChannel("app.logIn", {});
  const [changed, setChanged] = useState<boolean | null>(null);
  const isOn = changed ?? value?.startsAtLogIn ?? null;
  if (isOn === null || !mayAdminister) return null;
  const turn = (startsAtLogIn: boolean) =>
    attempt(async () => setChanged((await call("app.saveLogIn", { startsAtLogIn })).startsAtLogIn));
  return { isOn, turn };
}
