import { keyOfPack } from "../../core/cardiac/agreement/agreement.ts";
import { confidenceTiers } from "../../core/cardiac/confidence.ts";
import { measures } from "../../core/cardiac/measures/measures.ts";
import { verdictOfTier } from "../../core/cardiac/verdict/film-verdict.ts";
import { briefVerdictText } from "../../core/cardiac/verdict/verdict-text.ts";
import type { DesktopResponse } from "../../core/contract/desktop.ts";
import { speciesNames } from "../../core/contract/desktop/patients.ts";
import { Choice } from "../ui/fields/field.tsx";
import { useText } from "../ui/language/language.ts";
import { useAgreement } from "../state/agreement/agreement.ts";

const periodsDays = [30, 90, 365] as const;

export function AgreementFilters({ packs, readers }: Pick<DesktopResponse<"agreement.get">, "packs" | "readers">) {
  const text = useText();
  const { filter, choose } = useAgreement();
  const all = (what: "reader" | "pack" | "tier" | "species") => ({ value: "", label: text(`agreement.all_${what}`) });
  return (
    <div className="agreement-filters">
      <Choice
        label={text("ranges.measure")}
        value={filter.measure}
        options={measures.map(({ name, label }) => ({ value: name, label }))}
        onChoose={(measure) => choose({ measure })}
      />
      <Choice
        label={text("handout.reader")}
        value={filter.reader ?? ""}
        options={[all("reader"), ...readers.map((name) => ({ value: name, label: name }))]}
        onChoose={(reader) => choose({ reader: reader || undefined })}
      />
      <Choice
        label={text("result.pack")}
        value={filter.pack ? keyOfPack(filter.pack) : ""}
        options={[
          all("pack"),
          ...packs.map((pack) => ({ value: keyOfPack(pack), label: `${pack.name} ${pack.version}` })),
        ]}
        onChoose={(key) => choose({ pack: packs.find((pack) => keyOfPack(pack) === key) })}
      />
      <Choice
        label={text("verdict.title")}
        value={filter.tier ?? ""}
        options={[
          all("tier"),
          ...confidenceTiers.map((tier) => ({ value: tier, label: briefVerdictText(verdictOfTier(tier), text) })),
        ]}
        onChoose={(tier) => choose({ tier: confidenceTiers.find((each) => each === tier) })}
      />
      <Choice
        label={text("films.species")}
        value={filter.species ?? ""}
        options={[
          all("species"),
          ...speciesNames.map((name) => ({ value: name, label: text(`films.species_${name}`) })),
        ]}
        onChoose={(species) => choose({ species: speciesNames.find((each) => each === species) })}
      />
      <Choice
        label={text("agreement.decided")}
        value={String(filter.days ?? "")}
        options={[
          { value: "", label: text("films.takenAnyTime") },
          ...periodsDays.map((days) => ({ value: String(days), label: text("agreement.lastDays", { days }) })),
        ]}
        onChoose={(days) => choose({ days: days === "" ? undefined : Number(days) })}
      />
    </div>
  );
}
