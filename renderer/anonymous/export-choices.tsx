import type { DesktopRequest } from "../../core/contract/desktop.ts";
import { Choice, Switch } from "../ui/fields/field.tsx";
import { useText } from "../ui/language/language.ts";

type Request = DesktopRequest<"deidentify.export">;
type Content = Request["contents"][number];

export type Choices = Pick<Request, "dates" | "descriptors" | "keepsPatient" | "withKeyFile"> & {
  readonly contents: readonly Content[];
};

const contents = ["dicom", "picture", "report", "table"] as const;
const dates = ["removed", "shifted", "kept"] as const;
const descriptors = ["removed", "cleaned"] as const;

export function ExportChoices({
  choices,
  isSent,
  onChange,
}: {
  readonly choices: Choices;
  /** Sent films are always DICOM objects, so the format is fixed. */
  readonly isSent: boolean;
  readonly onChange: (choices: Choices) => void;
}) {
  const text = useText();
  const change = (changed: Partial<Choices>) => onChange({ ...choices, ...changed });
  const toggle = (content: Content, isOn: boolean) =>
    change({ contents: contents.filter((one) => (one === content ? isOn : choices.contents.includes(one))) });
  return (
    <div className="stack">
      {!isSent && <strong>{text("deidentify.contents")}</strong>}
      {!isSent &&
        contents.map((content) => (
          <Switch
            key={content}
            label={text(`deidentify.${content}`)}
            isOn={choices.contents.includes(content)}
            onChange={(isOn) => toggle(content, isOn)}
          />
        ))}
      <Choice
        label={text("deidentify.dates")}
        value={choices.dates}
        options={dates.map((value) => ({ value, label: text(`deidentify.dates_${value}`) }))}
        onChoose={(value) => change({ dates: value })}
      />
      <Choice
        label={text("deidentify.descriptors")}
        value={choices.descriptors}
        options={descriptors.map((value) => ({ value, label: text(`deidentify.descriptors_${value}`) }))}
        onChoose={(value) => change({ descriptors: value })}
      />
      <Switch
        label={text("deidentify.keepsPatient")}
        isOn={choices.keepsPatient}
        onChange={(keepsPatient) => change({ keepsPatient })}
      />
      <Switch
        label={text("deidentify.withKeyFile")}
        isOn={choices.withKeyFile}
        onChange={(withKeyFile) => change({ withKeyFile })}
      />
      {choices.withKeyFile && <p className="quiet fine">{text("deidentify.keyNote")}</p>}
    </div>
  );
}
