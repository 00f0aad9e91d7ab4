import { receiverSetting } from "../../main/services/network/dicom-settings.ts";
import { characterSets } from "../../main/dicom/elements/character-set.ts";
import { networkLimits } from "../../main/dicom/network/network-limits.ts";
import { implementation } from "../../main/dicom/writing/part-10.ts";
import { maxMatches } from "../../main/dicom/network/nodes.ts";
import { storeStatus } from "../../main/dicom/network/receiving/received-object.ts";
import { statusText } from "../../main/dicom/network/status-text.ts";
import { storageClasses, verificationClass } from "../../main/dicom/network/storage-classes.ts";
import { transferSyntaxes } from "../../main/dicom/pixels/coded/transfer-syntaxes.ts";
import { profileEdition } from "../../core/deidentification/profile-table.ts";
import { allowedTexts } from "../../core/deidentification/unlisted-attribute.ts";
import { measures } from "../../core/cardiac/measures/measures.ts";
import { codes, privateScheme } from "../../main/dicom/results/content/codes.ts";
import { measureCode } from "../../main/dicom/results/measurement-group.ts";
import { readingsCreator } from "../../main/dicom/results/packed-readings.ts";
import { sopClasses } from "../../main/dicom/results/uids.ts";
import { attributesOf, readAttributes, writtenAttributes, type Attribute } from "./dicom-statement-attributes.ts";

const { port, aeTitle, isOn, bind } = receiverSetting.fallback;
const place = bind === "this-computer" ? "this computer only (127.0.0.1, ::1)" : "the practice network";
const own = [...measures.map(measureCode), ...Object.values(codes).filter(([, scheme]) => scheme === privateScheme)];

/** Tables of the DICOM conformance statement, created from the tables that the code uses. */
const tables: Readonly<Record<string, string>> = {
  program: table(
    ["", ""],
    [
      ["Implementation class UID", implementation.classUid],
      ["Implementation version name", implementation.version],
      ["Default AE title", aeTitle],
      ["Default port", String(port)],
      ["Receiver by default", `${isOn ? "on" : "off"}, for ${place}`],
      ["Matches of a query that are used", String(maxMatches)],
      ["Edition of PS3.15", profileEdition],
      ["Creator of the private block", readingsCreator],
    ],
  ),
  classes: table(
    ["SOP class", "UID", "SCU (sends)", "SCP (receives)"],
    [
      ["Verification", verificationClass, "yes", "yes"],
      ...storageClasses.map(({ name, uid }) => [name, uid, sentAs(uid), "yes"]),
    ],
  ),
  statuses: table(
    ["C-STORE status", "meaning"],
    [
      [statusText(storeStatus.success), "stored"],
      [
        statusText(storeStatus.keptNotShown),
        "stored, but its image cannot be shown; a user decides what happens to it",
      ],
      [statusText(storeStatus.outOfResources), "the disk is full or cannot be written"],
      [statusText(storeStatus.doesNotMatchClass), "SOP class or instance UID of data set and command differ"],
      [statusText(storeStatus.cannotUnderstand), "the data set cannot be read"],
    ],
  ),
  limits: table(
    ["limit", "value"],
    [
      ["PDU received", inKib(networkLimits.pduBytes)],
      ["association request", inKib(networkLimits.associationRequestBytes)],
      ["command set", inKib(networkLimits.commandBytes)],
      ["data set of one object", `${networkLimits.objectBytes / 1024 / 1024} MiB`],
      ["concurrent connections", String(networkLimits.connections)],
      ["time from connection to association request", inSeconds(networkLimits.associationMs)],
      ["time for one PDU, from its first byte", inSeconds(networkLimits.pduMs)],
      ["time for one message, from its first fragment", inSeconds(networkLimits.messageMs)],
      ["time without a PDU", inSeconds(networkLimits.idleMs)],
      ["time without a PDU while studies are retrieved", inSeconds(networkLimits.messageMs)],
    ],
  ),
  syntaxes: table(
    ["transfer syntax", "UID"],
    transferSyntaxes.map(({ name, uid }) => [name, uid]),
  ),
  codes: table(
    ["code", "meaning"],
    own.map(([value, , meaning]) => [value, meaning]),
  ),
  read: attributeTable("attribute", readAttributes()),
  written: attributeTable("attribute", writtenAttributes()),
  texts: attributeTable("text that is kept", attributesOf(allowedTexts)),
  characters: table(
    ["Specific Character Set (0008,0005)", "read as"],
    characterSets.map(({ term, encoding }) => [term, encoding]),
  ),
};

/** Renews the tables of the statement, each of which follows a comment with its name. */
export function withTables(statement: string): string {
  return statement.replaceAll(/(<!-- table: (\w+) -->\n)(?:\|.*\n)*/g, (_, mark: string, name: string) => {
    if (!Object.hasOwn(tables, name)) throw new Error(`there is no table ${name}`);
    return `${mark}${tables[name]}\n`;
  });
}

function sentAs(uid: string): string {
  const { secondaryCapture, comprehensiveReport, presentationState, keyObjects } = sopClasses;
  if ([comprehensiveReport, presentationState, keyObjects].some((result) => result === uid)) return "results";
  return uid === secondaryCapture ? "results, films without names" : "films without names";
}

function inSeconds(ms: number): string {
  return `${ms / 1000} s`;
}

function inKib(bytes: number): string {
  return `${bytes / 1024} KiB`;
}

function attributeTable(title: string, attributes: readonly Attribute[]): string {
  return table(
    ["tag", title],
    attributes.map(({ tag, name }) => [tag, name]),
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), `|${head.map(() => "---|").join("")}`, ...rows.map(line)].join("\n");
}
