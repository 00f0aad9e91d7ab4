import { receiverSetting } from "../../main/services/network/dicom-settings.ts";
import { characterSets } from "../../main/dicom/elements/character-set.ts";
import { networkLimits } from "../../main/dicom/network/network-limits.ts";
import { implementation } from "../../main/dicom/network/part-10.ts";
import { mostMatches } from "../../main/dicom/network/query/query.ts";
import { storageCommitment } from "../../main/dicom/network/commitment/commitment-calls.ts";
import { modalityWorklist, studyRoot } from "../../main/dicom/network/query/query-calls.ts";
import { storeStatus } from "../../main/dicom/network/receiving/received-object.ts";
import { statusText } from "../../main/dicom/network/status-text.ts";
import { storageClasses, verificationClass } from "../../main/dicom/network/storage-classes.ts";
import { transferSyntaxes } from "../../main/dicom/pixels/coded/transfer-syntaxes.ts";
import { profileEdition } from "../../core/deidentification/profile-table.ts";
import { keptTexts } from "../../core/deidentification/unlisted-attribute.ts";
import { measures } from "../../core/cardiac/measures/measures.ts";
import { codes, privateScheme } from "../../main/dicom/results/content/codes.ts";
import { measureCode } from "../../main/dicom/results/measurement-group.ts";
import { readingsCreator } from "../../main/dicom/results/packed-readings.ts";
import { sopClasses } from "../../main/dicom/results/uids.ts";
import { explicitLittleEndian, implicitLittleEndian } from "../../main/dicom/transfer-syntaxes.ts";
import { attributesOf, readAttributes, writtenAttributes } from "./dicom-statement-attributes.ts";

/** The DICOM conformance statement as Markdown, out of the tables that the code itself uses. */
export function dicomStatement(): string {
  return [
    introduction(),
    roles(),
    receiving(),
    sending(),
    asking(),
    syntaxes(),
    objects(),
    withoutNames(),
    characters(),
    security(),
  ]
    .join("\n\n")
    .concat("\n");
}

function introduction(): string {
  return `# DICOM conformance statement of Corvet

Made by \`node scripts/run.mjs dicom-statement\` from the tables that the program uses; a test compares the two. Do not edit it by hand.

Corvet opens, receives and measures radiographs, and returns results as DICOM objects. Its measurements are an aid for veterinarians and not clinically validated.

| | |
|---|---|
| Implementation class UID | ${implementation.classUid} |
| Implementation version name | ${implementation.version} |
| Default AE title | ${receiverSetting.fallback.aeTitle} |
| Default port | ${receiverSetting.fallback.port} |`;
}

function roles(): string {
  const { secondaryCapture, comprehensiveReport, presentationState, keyObjects } = sopClasses;
  const withoutPicture: readonly string[] = [comprehensiveReport, presentationState, keyObjects];
  const sentAs = (uid: string) => {
    if (withoutPicture.includes(uid)) return "results";
    return uid === secondaryCapture ? "results, films without names" : "films without names";
  };
  const rows = [
    ["Verification", verificationClass, "yes", "yes"],
    ...storageClasses.map(({ name, uid }) => [name, uid, sentAs(uid), "yes"]),
  ];
  return `## SOP classes and roles

${table(["SOP class", "UID", "SCU (sends)", "SCP (receives)"], rows)}

A film without names (De-identification, below) is sent in the class of its own file, also one that is not in this table. The command \`pacs send\` sends files of any class as they stand.

Corvet also queries modality worklists and requests storage commitment (below). It does not print and does not answer queries. There is no extended negotiation and no user identity; roles are selected for C-GET and for storage commitment; asynchronous operations are declined.`;
}

function receiving(): string {
  const { isOn, bind } = receiverSetting.fallback;
  const seconds = (ms: number) => `${ms / 1000} s`;
  const mebibytes = (bytes: number) => (bytes >= 1024 * 1024 ? `${bytes / 1024 / 1024} MiB` : `${bytes / 1024} KiB`);
  return `## Receiving

The receiver is ${isOn ? "on" : "off"} until the user turns it on, and reachable from ${bind === "this-computer" ? "this computer only (127.0.0.1, ::1)" : "the practice network"} until the user opens it to the practice network (IPv4 and IPv6). Then both the calling AE title and the address must be on the user's lists; on this computer an empty list of titles lets every title in. The called AE title must always be Corvet's own.

Associations are encrypted in both directions if the user says so: TLS 1.2 with ephemeral keys and authenticated ciphers, or TLS 1.3, as BCP 195 (PS3.15 B.9) asks. The receiver then takes no other connection, and asks for a client certificate if the user has named trusted ones.

| refused | answer |
|---|---|
| address not on the list | connection closed without an answer |
| more connections than allowed | connection closed without an answer |
| other called AE title | A-ASSOCIATE-RJ, permanent, service user, reason 7 |
| calling AE title not on the list | A-ASSOCIATE-RJ, permanent, service user, reason 3 |
| no presentation context that Corvet receives | A-ASSOCIATE-RJ, permanent, service user, reason 1 |
| bytes that are not DICOM, too large or too slow | A-ABORT by the service provider |

For each presentation context Corvet accepts the first transfer syntax in the requestor's list that it reads. Before it answers success, an object is on the disk, byte for byte as it came, behind a file header; then it goes to the worklist. A lateral chest film is measured; others are shown and left alone. An object that comes twice is one film.

${table(
  ["C-STORE status", "meaning"],
  [
    [statusText(storeStatus.success), "kept"],
    [
      statusText(storeStatus.keptNotShown),
      "kept, but its picture cannot be shown: a person decides what becomes of it",
    ],
    [statusText(storeStatus.outOfResources), "the disk is full or cannot be written"],
    [statusText(storeStatus.doesNotMatchClass), "SOP class or instance UID of data set and command differ"],
    [statusText(storeStatus.cannotUnderstand), "the data set cannot be read"],
  ],
)}

${table(
  ["limit", "value"],
  [
    ["PDU received", mebibytes(networkLimits.pduBytes)],
    ["association request", mebibytes(networkLimits.associationRequestBytes)],
    ["command set", mebibytes(networkLimits.commandBytes)],
    ["data set of one object", mebibytes(networkLimits.objectBytes)],
    ["connections at once", String(networkLimits.connections)],
    ["from connecting to the association request", seconds(networkLimits.associationMs)],
    ["one PDU from its first byte", seconds(networkLimits.pduMs)],
    ["one message from its first fragment", seconds(networkLimits.messageMs)],
    ["without a PDU", seconds(networkLimits.idleMs)],
    ["without a PDU while studies are fetched", seconds(networkLimits.messageMs)],
  ],
)}`;
}

function sending(): string {
  const syntaxOf = (uid: string) => transferSyntaxes.find((syntax) => syntax.uid === uid)?.name ?? uid;
  return `## Sending

The user names nodes (host, port, AE title). Corvet sends in two ways:

- **Results**, with names: one association for a film's results.
- **Films without names**: one association for each film, with the film itself, unless it was no DICOM object or has been given to another patient than its file names, and its results.

In both Corvet proposes one presentation context for each pair of SOP class and transfer syntax, and sends one object after the other. What it makes itself is proposed with ${syntaxOf(explicitLittleEndian)} and ${syntaxOf(implicitLittleEndian)} in one context. A film without names goes in the transfer syntax of its file, which is proposed alone; ${syntaxOf(implicitLittleEndian)} is proposed beside ${syntaxOf(explicitLittleEndian)}. A node that does not take it refuses the film; Corvet does not compress or decompress for it. Statuses 0000 and Bxxx count as kept; any other ends the sending with an A-ABORT and is shown. "Test connection" is a C-ECHO. The limits above also hold for what a node answers; a node that takes only PDUs of less than 1 KiB is not served.`;
}

function asking(): string {
  return `## Searching and fetching

As a user of Study Root Query/Retrieve (${studyRoot.find}, ${studyRoot.move}, ${studyRoot.get}) Corvet asks a node by C-FIND at study level, with the keys Patient's Name or Responsible Person, Patient ID, Accession Number, Study Date and Modalities in Study, in ISO_IR 192, and takes the first ${mostMatches} matches. It fetches a study or an image by C-GET if the node accepts it, with the role of a provider for the storage classes above, and by C-MOVE to its own receiver otherwise. The limits above hold.

## Modality worklist

As a user of Modality Worklist (${modalityWorklist}) Corvet asks a node that the user has marked as a worklist, with the matching keys Patient's Name, Patient ID, Accession Number, Scheduled Procedure Step Start Date and Scheduled Station AE Title. It also takes over Issuer of Patient ID, Patient's Birth Date, Sex, Sex Neutered, Species and Breed, Responsible Person, Referring Physician, Study Instance UID, Requested Procedure ID and Description, Scheduled Procedure Step ID and Description. The user chooses a step; the next picture that is not a DICOM object is then written with the order's Study Instance UID, Accession Number, patient and Request Attributes Sequence, its report with a Referenced Request Sequence. A DICOM film carries these itself. No MPPS is sent.

## Storage commitment

Corvet is a user of the Storage Commitment Push Model (${storageCommitment.uid}). If the user has switched this on for a node, Corvet asks it after each sending of results, over a separate association, to commit to all objects that it took (N-ACTION, action type 1). It takes the N-EVENT-REPORT (types 1 and 2) over the same association for a few seconds, or through the receiver over an association that the node opens, with the role of a provider; without the receiver the same association stays open for half a minute. The report is on the disk before Corvet answers success. Corvet waits for answers for 30 days; the user may ask again. It does not ask about films without names and their results.

## DICOMweb

A node may be a DICOMweb origin server instead. Corvet is then a user of QIDO-RS (studies, with the keys above, application/dicom+json; further pages by offset while a warning 299 says that there are more, up to 500 matches), WADO-RS (a study or an instance, multipart/related with application/dicom in any transfer syntax) and STOW-RS (multipart/related with application/dicom), without sign-in, with HTTP Basic, with a bearer token or with a client certificate. Passwords and tokens are sent only over TLS or within this computer; redirections to another origin are not followed.`;
}

function syntaxes(): string {
  return `## Transfer syntaxes

Read from files and received: all of them. Objects that Corvet makes are written in ${transferSyntaxes.find(({ uid }) => uid === explicitLittleEndian)?.name}. A de-identified file keeps its transfer syntax, with two exceptions: pixels that have to be written anew, because areas are blanked or an overlay lies among them, make a compressed file ${transferSyntaxes.find(({ uid }) => uid === explicitLittleEndian)?.name}, as a deflated one always becomes.

${table(
  ["transfer syntax", "UID"],
  transferSyntaxes.map(({ name, uid }) => [name, uid]),
)}`;
}

function objects(): string {
  const attributes = (list: ReturnType<typeof readAttributes>) =>
    table(
      ["tag", "attribute"],
      list.map(({ tag, name }) => [tag, name]),
    );
  const own = [...measures.map(measureCode), ...Object.values(codes).filter(([, scheme]) => scheme === privateScheme)];
  return `## Objects

Corvet writes a Comprehensive SR (template TID 1500, Measurement Report), a Secondary Capture with the measurement drawn into it and a Grayscale Softcopy Presentation State with axes, landmarks, ruler and drawings as graphics on the film itself, in the layers HEART, RULER and DRAWINGS. A Key Object Selection Document (template TID 2010, “Of Interest”) marks the film if a person has accepted or corrected its reading or measured it by hand. A film that was not a DICOM object is itself written as a Secondary Capture, so that both can refer to it. They share the film's patient and study; a film that a person has assigned to a patient other than the one its file names is written like one that was not a DICOM object, with that patient, in a separate study. Corvet's own objects, opened again, give their landmarks back to the film.

Corvet reads another program's presentation state for its graphic and text objects (POINT, POLYLINE, INTERPOLATED as straight lines, CIRCLE, ELLIPSE; units PIXEL and DISPLAY), which are shown on the films it refers to and can be switched off; compound graphics, its windows, shutters and transformations are not applied. A Key Object Selection Document is read as a list of films, which are opened or fetched. A node that takes no presentation states or key object selections gets the rest.

The Secondary Capture and the presentation state carry the readings in a private block of creator \`${readingsCreator}\`.

### Codes of the private scheme ${privateScheme}

${table(
  ["code", "meaning"],
  own.map(([value, , meaning]) => [value, meaning]),
)}

### Attributes read

${attributes(readAttributes())}

### Attributes written

${attributes(writtenAttributes())}`;
}

function withoutNames(): string {
  const rows = attributesOf(keptTexts).map(({ tag, name }) => [tag, name]);
  return `## De-identification

Films leave without names after the Basic Application Confidentiality Profile of PS3.15, edition ${profileEdition}, with the options that the user chooses and Clean Pixel Data; the object names them in De-identification Method Code Sequence (0012,0064). Attributes that table E.1-1 does not name are treated by their representation, at every depth: DA, DT, TM, PN, AE and UN are removed; LO, SH, ST, LT, UT, UC and UR are removed unless they are listed here; UI gets another UID, unless it is one of DICOM's own or names a kind of object, an encoding or a coding scheme; all else stays. Issuers of numbers, codes of persons and services, and encrypted originals are removed; Pixel Spacing Calibration Description (0028,0A04) and LUT Label (0040,9210) get a dummy.

Of a multi-frame object the frame that the user has looked at leaves, as an object with a SOP Instance UID of its own and Number of Frames (0028,0008) 1, in the same SOP class and, unless areas are blanked, the same transfer syntax; attributes of the sequence of frames and the other frames' functional groups are removed.

${table(["tag", "text that stays"], rows)}`;
}

function characters(): string {
  return `## Character sets

Objects that Corvet makes are in ISO_IR 192 (UTF-8); a de-identified file keeps its own character set. Corvet reads these, alone or by the escape sequences of ISO 2022:

${table(
  ["Specific Character Set (0008,0005)", "read as"],
  characterSets.map(({ term, encoding }) => [term, encoding]),
)}

Names outside the standard (GB2312, ISO-8859-2, WINDOWS-1251, CP932 and the like) are read as they are meant. Text in valid UTF-8 is read as UTF-8, whatever the file names. A file that names no set, or an unknown one, is otherwise read as Latin-1; an unknown one is a notice on the film.`;
}

function security(): string {
  return `## Security

Without TLS, DICOM's network protocol is not encrypted: then open the receiver only to a network that the practice trusts. The certificate of a node is checked against the certificates that the user names for it, or the system's own. Private keys, passwords and tokens are sealed by the operating system's key store if there is one; otherwise they are in a file that only its owner can read. The log of associations holds addresses, AE titles and counts, no patients and no objects; what the DICOM library prints is dropped.`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), `|${head.map(() => "---|").join("")}`, ...rows.map(line)].join("\n");
}
