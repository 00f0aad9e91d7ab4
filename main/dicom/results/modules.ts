import type { Order } from "../../../core/contract/desktop/network/orders.ts";
import { codes, codeSequence } from "./content/codes.ts";
import {
  fits,
  localDateTime,
  numbers,
  personName,
  sequence,
  text,
  uid,
  type DataSet,
  type Element,
} from "./data-set.ts";
import type { ElementValues } from "../elements/dicom-elements.ts";
import { own } from "./read-own-objects.ts";
import type { ResultSubject } from "./result-subject.ts";
import { uidOf } from "./uids.ts";

const patientTags = {
  "00100021": "LO",
  "00100030": "DA",
  "00100032": "TM",
  "00100040": "CS",
  "00102201": "LO",
  "00102292": "LO",
  "00102297": "PN",
  "00102298": "CS",
  "00102299": "LO",
  "00104000": "LT",
} as const;
const studyTags = {
  "00080201": "SH",
  "00081030": "LO",
  "00101010": "AS",
  "00101020": "DS",
  "00101030": "DS",
  "00102203": "CS",
} as const;

/** Patient module with the veterinary attributes: those of the film's file, completed from the worklist's patient. */
export function patientModule({ source, patient, order, deidentification }: ResultSubject): DataSet {
  const given: DataSet = {
    "00100010": source ? text("PN", source.text("00100010")) : personName(patient?.name ?? ""),
    "00100020": text("LO", source ? source.text("00100020") : patient && identifierOf(patient)),
    "00100030": text("DA", null),
    "00100040": text("CS", null),
  };
  return {
    ...given,
    ...(patient && animal(patient)),
    ...(!source && order && orderedPatientElements(order)),
    ...(source && {
      ...copied(source, patientTags),
      ...copiedCodes(source, ["00102202", "00102293"]),
      ...registrations(source),
    }),
    ...deidentification,
  };
}

/** Patient elements of the order, so that the ordering system can match the results. @see DICOM PS3.4 K.6.1.2.2 */
function orderedPatientElements({ patient }: Order): DataSet {
  const { fullName, number, issuer, birthDate, sex } = patient;
  return {
    "00100010": text("PN", fullName),
    "00100020": text("LO", number),
    ...(issuer !== null && { "00100021": text("LO", issuer) }),
    "00100030": text("DA", birthDate?.replaceAll("-", "")),
    "00100040": text("CS", sex && sex.charAt(0).toUpperCase()),
  };
}

/** Corvet's own if the practice's would have to be truncated: a truncated one may be another patient's. */
function identifierOf({ uuid, id }: NonNullable<ResultSubject["patient"]>): string {
  return uuid !== null && fits("LO", uuid) ? uuid : id;
}

/** Conditional attributes of an animal; an empty one means unknown. */
function animal({ species, breed, owner }: NonNullable<ResultSubject["patient"]>): DataSet {
  return {
    "00102201": text("LO", species === null ? "unknown" : { dog: "Dog", cat: "Cat" }[species]),
    ...(species !== null && { "00102202": codeSequence(codes[species]) }),
    "00102292": text("LO", breed === "" ? "unknown" : breed),
    "00102293": sequence(),
    "00102294": sequence(),
    "00102297": personName(owner),
    ...(owner === "" ? {} : { "00102298": text("CS", "OWNER") }),
    "00102299": text("LO", null),
  };
}

/** General Study and Patient Study modules: those of the film, or generated for a film opened as a picture. */
export function studyModule(subject: ResultSubject): DataSet {
  const { source, takenAt } = subject;
  const order = source ? null : subject.order;
  const taken = takenAt ? localDateTime(takenAt, source) : { date: text("DA", null), time: text("TM", null) };
  return {
    "0020000D": uid(studyUidOf(subject)),
    "00080020": source ? text("DA", source.text("00080020")) : taken.date,
    "00080030": source ? text("TM", source.text("00080030")) : taken.time,
    "00080090": text("PN", source?.text("00080090") ?? order?.referrer),
    "00200010": text("SH", source ? source.text("00200010") : (order?.procedureId ?? subject.imageSha256.slice(0, 8))),
    "00080050": text("SH", accessionOf(subject)),
    ...(order?.procedure && { "00081030": text("LO", order.procedure) }),
    "00102203": text("CS", null),
    ...(source && copied(source, studyTags)),
  };
}

export function studyUidOf({
  source,
  order,
  imageSha256,
  patient,
}: Pick<ResultSubject, "source" | "order" | "imageSha256" | "patient">): string {
  const ordered = source ? null : order?.studyInstanceUid;
  return source?.text("0020000D") ?? ordered ?? uidOf("study", imageSha256, patient?.id ?? "");
}

function accessionOf({ source, order }: Pick<ResultSubject, "source" | "order">): string | null {
  return source ? source.text("00080050") : (order?.accessionNumber ?? null);
}

/** Request Attributes Sequence, for the order of a film opened as a picture. @see DICOM PS3.3 10.6 */
export function requestAttributes({ source, order }: ResultSubject): DataSet {
  if (source || !order) return {};
  const { accessionNumber, procedureId, procedure, stepId, step } = order;
  return {
    "00400275": sequence({
      "00080050": text("SH", accessionNumber),
      ...(procedure !== null && { "00321060": text("LO", procedure) }),
      ...(step !== null && { "00400007": text("LO", step) }),
      ...(stepId !== null && { "00400009": text("SH", stepId) }),
      ...(procedureId !== null && { "00401001": text("SH", procedureId) }),
    }),
  };
}

export function equipmentModule({ programVersion, clinicName, source }: ResultSubject): DataSet {
  const institution = source?.text("00080080") ?? (clinicName === "" ? null : clinicName);
  return {
    "00080070": text("LO", own.manufacturer),
    "00081090": text("LO", "Corvet"),
    "00181020": text("LO", programVersion),
    "00181000": text("LO", uidOf("device", programVersion).slice(-16)),
    ...(institution !== null && { "00080080": text("LO", institution) }),
  };
}

export function referencedRequests(subject: ResultSubject): readonly DataSet[] {
  const { source } = subject;
  const study = source?.text("0020000D");
  if (!source && subject.order) return [referencedOrder(subject.order)];
  if (!source || !study) return [];
  return source.items("00400275").map((request) => ({
    "0020000D": uid(request.text("0020000D") ?? study),
    "00081110": sequence(),
    "00080050": text("SH", request.text("00080050") ?? source.text("00080050")),
    "00402016": text("LO", request.text("00402016") ?? source.text("00402016")),
    "00402017": text("LO", request.text("00402017") ?? source.text("00402017")),
    "00401001": text("SH", request.text("00401001")),
    "00321060": text("LO", request.text("00321060") ?? source.text("00321060")),
    "00321064": sequence(...request.items("00321064").map(copiedCode)),
  }));
}

function referencedOrder({ studyInstanceUid, accessionNumber, procedureId, procedure }: Order): DataSet {
  return {
    "0020000D": uid(studyInstanceUid),
    "00081110": sequence(),
    "00080050": text("SH", accessionNumber),
    "00402016": text("LO", null),
    "00402017": text("LO", null),
    "00401001": text("SH", procedureId),
    "00321060": text("LO", procedure),
    "00321064": sequence(),
  };
}

export function copied(source: ElementValues, tags: Readonly<Record<string, string>>): DataSet {
  return Object.fromEntries(
    Object.entries(tags).flatMap(([tag, vr]) => {
      if (vr === "DS") return source.numbers(tag).length === 0 ? [] : [[tag, numbers("DS", ...source.numbers(tag))]];
      const values = source.texts(tag);
      return values.length === 0 || source.text(tag) === null
        ? []
        : [[tag, values.length === 1 ? text(vr, values[0]) : { vr, Value: values }] as [string, Element]];
    }),
  );
}

function copiedCodes(source: ElementValues, tags: readonly string[]): DataSet {
  return Object.fromEntries(
    tags
      .filter((tag) => source.items(tag).length > 0)
      .map((tag) => [tag, sequence(...source.items(tag).map(copiedCode))]),
  );
}

function copiedCode(item: ElementValues): DataSet {
  return copied(item, { "00080100": "SH", "00080102": "SH", "00080103": "SH", "00080104": "LO" });
}

function registrations(source: ElementValues): DataSet {
  const found = source
    .items("00102294")
    .map((item) => ({ ...copied(item, { "00102295": "LO" }), ...copiedCodes(item, ["00102296"]) }));
  return found.length === 0 ? {} : { "00102294": sequence(...found) };
}
