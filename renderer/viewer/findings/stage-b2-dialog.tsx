import { useState } from "react";
import { stageB2Text } from "../../../core/cardiac/findings/findings-text.ts";
import { breedLimitOf, isPlausible, stageB2, stageB2Criteria } from "../../../core/cardiac/findings/stage-b2.ts";
import { comparedAnimal } from "../../../core/cardiac/reference/compared-animal.ts";
import { dogStagingLines } from "../../../core/cardiac/findings/staging-aid.ts";
import { breedOf, referenceRangeFor } from "../../../core/cardiac/reference/reference-ranges.ts";
import type { Film } from "../../../core/contract/desktop/films.ts";
import type { Reading } from "../../../core/contract/desktop/readings.ts";
import { useProgram } from "../../state/program.ts";
import { UnvalidatedNote } from "../../state/upkeep/unvalidated-note.tsx";
import { FormDialog } from "../../ui/dialogs/form-dialog.tsx";
import { TextField } from "../../ui/fields/field.tsx";
import { useFormat } from "../../ui/language/format.ts";
import { useText } from "../../ui/language/language.ts";
import { numberOf } from "../../ui/language/typed-number.ts";
import { StagingLines } from "./staging-lines.tsx";
import { useFindingsWords } from "./use-findings.ts";

const asked = ["murmur", "laToAo", "lviddn"] as const;
type Asked = (typeof asked)[number];

/** Collects the criteria that a film cannot show, and lists all four. Gives no treatment advice. */
export function StageB2Dialog({
  film,
  reading,
  onInsert,
  onClose,
}: {
  readonly film: Film;
  readonly reading: Reading | null;
  readonly onInsert: (text: string) => void;
  readonly onClose: () => void;
}) {
  const ownRanges = useProgram((state) => state.ownRanges);
  const text = useText();
  const words = useFindingsWords();
  const [typed, setTyped] = useState<Readonly<Record<Asked, string>>>({ murmur: "", laToAo: "", lviddn: "" });
  const valueOf = (name: Asked) => {
    const value = numberOf(typed[name].replace(/\s*\/\s*6$/, ""));
    return value !== null && isPlausible(name, value) ? value : null;
  };
  const { breed } = comparedAnimal(film.patient, film.dicom?.patient ?? null);
  const range = referenceRangeFor("vhs", "dog", breed, ownRanges);
  const breedLimit = breedLimitOf(range);
  const criteria = stageB2Criteria({
    murmur: valueOf("murmur"),
    laToAo: valueOf("laToAo"),
    lviddn: valueOf("lviddn"),
    vhs: reading?.score?.vhs ?? null,
    breedLimit,
  });
  const faultOf = (name: Asked) =>
    typed[name].trim() !== "" && valueOf(name) === null ? text(`findings.b2_fault_${name}`) : null;
  return (
    <FormDialog
      isWide
      title={text("findings.b2_title")}
      description={text("findings.b2_about")}
      submit={text("findings.b2_insert")}
      canSubmit={asked.every((name) => faultOf(name) === null)}
      onSubmit={() => {
        onInsert(stageB2Text(criteria, words));
        onClose();
      }}
      onClose={onClose}
    >
      <div className="aid-columns">
        <div className="stack">
          {asked.map((name) => (
            <TextField
              key={name}
              label={text(`findings.b2_ask_${name}`)}
              value={typed[name]}
              inputMode="decimal"
              fault={faultOf(name)}
              onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
            />
          ))}
          <Criteria criteria={criteria} />
          <p className="quiet fine">
            {range && breedLimit !== null
              ? text(range.band === "clinic_limits" ? "findings.b2_own" : "findings.b2_breed", {
                  source: range.source.citation,
                })
              : text("findings.b2_general")}
          </p>
          <p className="quiet fine">{`${stageB2.source}, ${stageB2.identifier}`}</p>
        </div>
        <WithoutEcho
          score={reading?.score ?? null}
          murmur={valueOf("murmur")}
          breedLimit={breedLimit}
          isCavalier={breedOf(breed) === "cavalier_king_charles_spaniel"}
        />
      </div>
      <UnvalidatedNote />
    </FormDialog>
  );
}

function Criteria({ criteria }: { readonly criteria: ReturnType<typeof stageB2Criteria> }) {
  const text = useText();
  const format = useFormat();
  return (
    <ul className="criteria" aria-label={text("findings.b2_criteria")}>
      {criteria.map(({ name, value, limit, isMet }) => (
        <li key={name}>
          {text(`findings.b2_${name}`, {
            value: value === null ? "–" : format.number(value, digitsOf(name, value)),
            limit: format.number(limit, name === "murmur" ? 0 : 1),
            verdict: text(`findings.b2_${isMet === null ? "unknown" : isMet ? "met" : "unmet"}`),
          })}
        </li>
      ))}
    </ul>
  );
}

function digitsOf(name: ReturnType<typeof stageB2Criteria>[number]["name"], value: number): number {
  if (name === "murmur") return Number.isInteger(value) ? 0 : 1;
  return name === "vhs" ? 1 : 2;
}

function WithoutEcho({
  score,
  murmur,
  breedLimit,
  isCavalier,
}: {
  readonly score: Reading["score"];
  readonly murmur: number | null;
  readonly breedLimit: number | null;
  readonly isCavalier: boolean;
}) {
  const text = useText();
  const format = useFormat();
  const [typed, setTyped] = useState("");
  const number = numberOf(typed);
  const ntProBnp = number !== null && number >= 1 && number <= 50_000 ? number : null;
  const { vhs = null, vlas = null, rlad = null } = score ?? {};
  return (
    <section className="stack" aria-label={text("findings.stage_title")}>
      <h3>{text("findings.stage_title")}</h3>
      <p className="quiet fine">{text("findings.stage_about")}</p>
      {isCavalier && (
        <TextField
          label={text("findings.stage_ntProBnp")}
          value={typed}
          inputMode="decimal"
          fault={typed.trim() !== "" && ntProBnp === null ? text("findings.stage_fault_ntProBnp") : null}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
      {murmur !== null && murmur < stageB2.murmur && (
        <p>{text("findings.stage_murmur", { limit: format.number(stageB2.murmur, 0) })}</p>
      )}
      <StagingLines lines={dogStagingLines({ vhs, vlas, rlad, ntProBnp }, { breedLimit, isCavalier })} />
    </section>
  );
}
