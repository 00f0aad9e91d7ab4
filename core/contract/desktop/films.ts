import { z } from "zod";
import { animalTraits } from "../../cardiac/agreement/same-animal.ts";
import type { Channels } from "../channel.ts";
import { networkGrades } from "../../cardiac/verdict/film-verdict.ts";
import { rejectionReasons } from "../../cardiac/verdict/verdict-facts.ts";
import { nameOf } from "../../identifiers.ts";
import {
  corners,
  download,
  exportId,
  failure,
  heartPoints,
  id,
  nothing,
  page,
  point,
  time,
  vertebralEdges,
} from "./shapes.ts";
import { dicomInstance } from "./network/dicom-instance.ts";
import { patient } from "./patients.ts";
import { frameSize, reading, readingSummary, verdicts } from "./readings.ts";

const filmStates = ["queued", "measuring", "done", "failed", "cancelled"] as const;
/** Progress of a film for its reader. `undecided`: measured, or its rejection was undone. */
export const filmStandings = ["waiting", "undecided", "decided", "failed", "unmeasured"] as const;
/** `patient`: by name, films without a patient last; `tier`: films to be reviewed first. */
export const filmOrders = ["added", "takenNewest", "takenOldest", "patient", "tier"] as const;
export const filmOrigins = ["file", "paste", "capture", "dicom"] as const;

export const film = z.object({
  id,
  fileName: z.string(),
  sha256: z.string(),
  origin: z.enum(filmOrigins),
  addedAt: time,
  /** Acquisition time, from the file if stated; editable, and used by trends. */
  takenAt: time,
  state: z.enum(filmStates),
  failure: failure.nullable(),
  patient: patient.nullable(),
  /** Size of the image with its orientation applied [px]. */
  widthPx: z.int(),
  heightPx: z.int(),
  /** Frame of a file with several frames, from 0. */
  frameIndex: z.int(),
  /** Position among the films added at the same time, from 0. */
  place: z.int().default(0),
  dicom: dicomInstance.nullable(),
  /** The picture that is displayed, measured by hand and annotated: that of the file, or the film cut out of it. */
  picture: z.object({ frame: frameSize, corners: corners.nullable() }),
  /** False once the image was deleted; the readings remain. */
  hasImage: z.boolean(),
  /** null if there is nothing to show. `rectified` has a new path for each rectification. */
  urls: z.object({
    thumbnail: z.string().nullable(),
    pixels: z.string().nullable(),
    rectified: z.string().nullable(),
  }),
  reading: readingSummary.nullable(),
  /** Change of VHS since the previous visit [v], see core/cardiac/agreement/change.ts; absent without one. */
  vhsChange: z
    .object({
      filmId: id,
      since: time,
      change: z.number(),
      limit: z.number().nullable(),
      isBeyondNoise: z.boolean().nullable(),
      pairs: z.int().nullable(),
    })
    .optional(),
  /** A film of that day that may show another animal, and the differing trait on both films [v or deg]. */
  otherAnimal: z
    .object({ filmId: id, takenAt: time, trait: z.enum(animalTraits), here: z.number(), there: z.number() })
    .optional(),
});

/** For a file already on the worklist, its existing film with `isNew` false. */
const addedFilm = z.object({ film, isNew: z.boolean() });

const unopenedFile = failure.extend({ name: z.string() });

/** Response of `PUT /app/films?name=…`. `leftAlone`: files of a folder or ZIP that are not films. */
export const openedFiles = z.object({
  films: z.array(addedFilm),
  faults: z.array(unopenedFile),
  leftAlone: z.array(unopenedFile),
});

/** A film that is open elsewhere. `who`: null if unknown; `machine`: null for another window of this workstation. */
const openElsewhere = z.object({ filmId: id, who: z.string().nullable(), machine: z.string().nullable(), since: time });

const filmIds = z.strictObject({ filmIds: z.array(id).min(1).max(1000) });

export const filmsContract = {
  /** `search` covers file name, patient, owner, breed and numbers. Films dropped together keep their order. */
  "films.list": {
    request: z.strictObject({
      search: z.string().max(200).default(""),
      standing: z.enum(filmStandings).optional(),
      /** Only undecided films with this verdict on the networks' measurement. */
      grade: z.enum(networkGrades).optional(),
      takenFrom: time.optional(),
      order: z.enum(filmOrders).default("added"),
      patientId: id.optional(),
      ...page,
    }),
    response: z.object({ films: z.array(film), total: z.int() }),
    permission: "look",
    isAvailableWithoutDatabase: true,
  },
  "films.get": {
    request: z.strictObject({ filmId: id }),
    response: z.object({ film, readings: z.array(reading) }),
    permission: "look",
    isAvailableWithoutDatabase: true,
  },
  "films.edit": { request: z.strictObject({ filmId: id, takenAt: time }), response: nothing, permission: "prepare" },
  /** Adds another frame of a film's file to the worklist, or returns its existing film. */
  "films.addFrame": {
    request: z.strictObject({ filmId: id, frameIndex: z.int().min(0) }),
    response: addedFilm,
    permission: "prepare",
    isAvailableWithoutDatabase: true,
  },
  "films.assignPatient": {
    request: z.strictObject({ filmIds: z.array(id).min(1).max(1000), patientId: id.nullable() }),
    response: nothing,
    permission: "prepare",
  },
  /** Confirms that two films of a patient show the same animal, however much their hearts differ. NOT_FOUND */
  "films.confirmSameAnimal": {
    request: z.strictObject({ filmId: id, otherId: id }),
    response: nothing,
    permission: "prepare",
  },
  "films.cancel": { request: filmIds, response: nothing, permission: "prepare", isAvailableWithoutDatabase: true },
  /** Queues measured films again, too. Films of a capture session are skipped: their photographs are deleted. */
  "films.retry": { request: filmIds, response: nothing, permission: "prepare", isAvailableWithoutDatabase: true },
  /** Removes films from the worklist and deletes their images; readings of a patient's films stay in the trend. */
  "films.remove": {
    request: filmIds,
    response: nothing,
    permission: "remove",
    isAvailableWithoutDatabase: true,
  },
  /**
   * Writes a user's reading. `basedOn`: the current reading when the user started; null if there was none (measured by
   * hand). `corrected` and `by_hand` carry geometry; `accepted` and `rejected` copy it from `basedOn`. `rejected` also
   * closes a film without a reading; a repeated acceptance by the same user returns the existing reading. CONFLICT if
   * `basedOn` is no longer current, or if the points refer to a picture other than its own; for `by_hand`, other than
   * the displayed picture or that of the user's reading in `basedOn`.
   */
  "readings.save": {
    request: z.strictObject({
      filmId: id,
      basedOn: id.nullable(),
      verdict: z.enum(verdicts),
      rejectionReason: z.enum(rejectionReasons).optional(),
      /** Ignored if sign-in is on: the signed-in user signs the reading. */
      who: nameOf(100).min(1).optional(),
      remark: z.string().max(2000).default(""),
      /** The networks' result was hidden until the points were placed. Only for `by_hand`. */
      isBlind: z.boolean().default(false),
      geometry: z
        .strictObject({
          frame: frameSize,
          corners: corners.nullable(),
          heart: heartPoints,
          edges: vertebralEdges,
          /** Set if the axes are derived from an outline, which the user may have edited. */
          outline: z.array(point).min(3).max(1000).optional(),
        })
        .nullable(),
    }),
    response: z.object({ film, reading }),
    permission: "sign",
  },
  /** Appends a copy of the previous reading. CONFLICT if another reading is current or there is no previous one. */
  "readings.undo": {
    request: z.strictObject({ filmId: id, readingId: id }),
    response: z.object({ film, reading }),
    permission: "sign",
  },
  /** Annotated data of all films with a user's reading. `skipped`: those whose image is missing or unreadable. */
  "films.exportAnnotated": {
    request: z.strictObject({ exportId }),
    response: z.object({ download, exported: z.int(), skipped: z.int() }),
    permission: "share",
    isAvailableWithoutDatabase: true,
  },
  /** Reports the film that this page shows, null for none, to other pages. */
  "films.sayOpen": { request: z.strictObject({ filmId: id.nullable() }), response: nothing, permission: "look" },
  "films.openElsewhere": { request: nothing, response: z.object({ films: openElsewhere.array() }), permission: "look" },
  /** Films waiting to be measured, next one first; films being measured are not included. */
  "films.queue": {
    request: nothing,
    response: z.object({ filmIds: z.array(id) }),
    permission: "look",
    isAvailableWithoutDatabase: true,
  },
} as const satisfies Channels;

export type Film = z.infer<typeof film>;
export type AddedFilm = z.infer<typeof addedFilm>;
export type OpenElsewhere = z.infer<typeof openElsewhere>;
export type UnopenedFile = z.infer<typeof unopenedFile>;
export type OpenedFiles = z.infer<typeof openedFiles>;
