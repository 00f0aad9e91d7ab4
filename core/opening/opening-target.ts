import { AppError, because } from "../app-error.ts";
import { faultOfIdentifier } from "../identifiers.ts";

const openingKinds = ["number", "uuid", "dicom", "microchip", "instance", "file"] as const;
type OpeningKind = (typeof openingKinds)[number];

/** `issuer` of the Patient ID is used with `dicom` only. */
export type OpeningTarget = { readonly kind: OpeningKind; readonly value: string; readonly issuer: string | null };

/** Maximum length of a link [characters]; paths have the same limit as in the settings. */
const maxLinkLength = 4000;
const maxPathLength = 1000;

export function isOpeningLink(word: string): boolean {
  return /^corvet:/i.test(word);
}

/**
 * Parses `corvet://open?number=P-4711`: exactly one target, percent-encoded; a plus is literal. Anything else is an
 * error, so that a link has no hidden meaning.
 *
 * @throws AppError INVALID_FIELD
 */
export function readOpeningLink(link: string): OpeningTarget {
  const [, query] = /^corvet:\/\/open\/?\?([^#]*)$/i.exec(link.slice(0, maxLinkLength + 1)) ?? [];
  if (query === undefined || link.length > maxLinkLength)
    throw new AppError("INVALID_FIELD", because("linkUnreadable"));
  const parameters = new Map<string, string>();
  for (const part of query.split("&")) {
    const [name = "", ...rest] = part.split("=");
    if (parameters.has(name) || rest.length === 0) throw new AppError("INVALID_FIELD", because("linkUnreadable"));
    parameters.set(name, decoded(rest.join("=")));
  }
  const issuer = parameters.get("issuer") ?? null;
  parameters.delete("issuer");
  const [[name = "", value = ""] = [], ...others] = parameters;
  const kind = openingKinds.find((known) => known === name);
  if (kind === undefined || others.length > 0) throw new AppError("INVALID_FIELD", because("linkUnreadable"));
  return checkedTarget({ kind, value, issuer });
}

/** @throws AppError INVALID_FIELD for a value that cannot identify a target */
function checkedTarget({ kind, value, issuer }: OpeningTarget): OpeningTarget {
  const isFaulty = kind === "file" ? !isPath(value) : faultOfIdentifier(value) !== null;
  const hasStrayIssuer = issuer !== null && (kind !== "dicom" || faultOfIdentifier(issuer) !== null);
  if (isFaulty || hasStrayIssuer || (kind === "instance" && !/^[0-9.]{1,64}$/.test(value)))
    throw new AppError("INVALID_FIELD", because("linkUnreadable"));
  return { kind, value, issuer };
}

function isPath(value: string): boolean {
  return value.length > 0 && value.length <= maxPathLength && !/[\p{Cc}\p{Surrogate}]/u.test(value);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new AppError("INVALID_FIELD", because("linkUnreadable"), { cause });
  }
}
