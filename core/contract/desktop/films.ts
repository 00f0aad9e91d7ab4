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
/** Progress of a film for its reader. `undecided`: measured, or a rejection was taken back. */
export const filmStandings = ["waiting", "undecided", "decided", "failed", "unmeasured"] as const;
/** Orders of the worklist. `patient`: by name, films without one last; `tier`: those to be reviewed first. */
export const filmOrders = ["added", "takenNewest", "takenOldest", "patient", "tier"] as const;
export const filmOrigins = ["file", "paste", "capture", "dicom"] as const;

export const film = z.object({
  id,
  fileName: z.string(),
  sha256: z.string(),
  origin: z.enum(filmOrigins),
  addedAt: time,
  /** Time of the radiograph: from the file if stated, editable; trends use it. */
  takenAt: time,
  state: z.enum(filmStates),
  /** 0 = next or under way; null when not waiting. */
  queuePosition: z.int().nullable(),
  failure: failure.nullable(),
  patient: patient.nullable(),
  /** Full size with the orientation applied. */
  widthPx: z.int(),
  heightPx: z.int(),
  /** Which frame of a file of several, from 0. */
  frameIndex: z.int(),
  /** Place among the films that were added at the same time, from 0. */
  place: z.int().default(0),
  /** Attributes of the DICOM file; null for other files. */
  dicom: dicomInstance.nullable(),
  /**
   * Size of the measured film (longest side at most 1080 px). Manual points are in these pixels; on a rectified
   * photograph in those of the reading that it was rectified for.
   */
  frame: frameSize,
  /** The picture that is shown and drawn on: the file itself, or the film that was cut out of it. */
  picture: z.object({ frame: frameSize, corners: corners.nullable() }),
  /** False once the image is no longer kept; the readings stay. */
  hasImage: z.boolean(),
  /**
   * Paths of the same origin on both transports. `pixels`: raw grey, see desktop-routes. `image`: the file as opened.
   * `rectified`: JPEG of the rectified film of a photograph, a new path for each rectification. null if there is
   * nothing to show.
   */
  urls: z.object({
    thumbnail: z.string().nullable(),
    pixels: z.string().nullable(),
    image: z.string().nullable(),
    rectified: z.string().nullable(),
  }),
  reading: readingSummary.nullable(),
  /**
   * Change of VHS since the visit before [v], as displayed, see core/cardiac/agreement/change.ts; absent without one.
   */
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
  /**
   * A film of the patient and day that may show another animal, and the trait that differs with its values on both
   * films [v or deg], unrounded, see core/cardiac/agreement/same-animal.ts; absent without one.
   */
  otherAnimal: z
    .object({ filmId: id, takenAt: time, trait: z.enum(animalTraits), here: z.number(), there: z.number() })
    .optional(),
});

/** A file already in the worklist is answered with its row, `isNew` false. */
const addedFilm = z.object({ film, isNew: z.boolean() });

export const unopenedFile = failure.extend({ name: z.string() });

/**
 * Response of `PUT /app/films?name=…`: outcome for a file, or for each file of a ZIP. `faults`: files that could not be
 * opened; `leftAlone`: other files of a folder or ZIP, each with its kind.
 */
export const openedFiles = z.object({
  films: z.array(addedFilm),
  faults: z.array(unopenedFile),
  leftAlone: z.array(unopenedFile),
});

/** A film that is open elsewhere. `who`: null if unknown; `machine`: null for another window of this workstation. */
const openElsewhere = z.object({ filmId: id, who: z.string().nullable(), machine: z.string().nullable(), since: time });

const filmIds = z.strictObject({ filmIds: z.array(id).min(1).max(1000) });
const changedFilms = z.object({ films: z.array(film) });

export const filmsContract = {
  /**
   * Newest first where no order is named; films that were dropped together in the order of the drop. `search` looks at
   * file name, patient, owner, breed and numbers.
   */
  "films.list": {
    request: z.strictObject({
      search: z.string().max(200).default(""),
      state: z.enum(filmStates).optional(),
      standing: z.enum(filmStandings).optional(),
      /** Verdict on the networks' measurement, of films without a decision. */
      grade: z.enum(networkGrades).optional(),
      /** Taken at or after. */
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
  "films.edit": { request: z.strictObject({ filmId: id, takenAt: time }), response: film, permission: "prepare" },
  /** Puts another frame of a film's file on the worklist, or finds it there. */
  "films.addFrame": {
    request: z.strictObject({ filmId: id, frameIndex: z.int().min(0) }),
    response: addedFilm,
    permission: "prepare",
    isAvailableWithoutDatabase: true,
  },
  "films.assignPatient": {
    request: z.strictObject({ filmIds: z.array(id).min(1).max(1000), patientId: id.nullable() }),
    response: changedFilms,
    permission: "prepare",
  },
  /** Two films of a patient show one animal, however far apart their hearts are. NOT_FOUND */
  "films.confirmSameAnimal": {
    request: z.strictObject({ filmId: id, otherId: id }),
    response: changedFilms,
    permission: "prepare",
  },
  /** Takes films out of the queue or stops their measuring. */
  "films.cancel": { request: filmIds, response: changedFilms, permission: "prepare", isAvailableWithoutDatabase: true },
  /**
   * Queues failed, cancelled and measured films again (for example with another pack). Earlier readings remain. A film
   * of a capture session is skipped, because its photographs no longer exist.
   */
  "films.retry": { request: filmIds, response: changedFilms, permission: "prepare", isAvailableWithoutDatabase: true },
  /** Takes films off the worklist and deletes their images; readings of a patient's films stay in the trend. */
  "films.remove": {
    request: filmIds,
    response: z.object({ filmIds: z.array(id) }),
    permission: "remove",
    isAvailableWithoutDatabase: true,
  },
  /**
   * Writes a user's reading. `basedOn`: the valid reading when the user started, null without one (measured by hand).
   * `corrected` and `by_hand` carry geometry; `accepted` and `rejected` copy it from `basedOn`. `rejected` also closes
   * a film without a reading; a repeated acceptance by the same user returns the reading. CONFLICT if `basedOn` is no
   * longer valid, or if the points refer to another picture than its own; by hand: than the displayed one, or than the
   * one of the user's reading in `basedOn`.
   */
  "readings.save": {
    request: z.strictObject({
      filmId: id,
      basedOn: id.nullable(),
      verdict: z.enum(verdicts),
      /** Ignored for other verdicts than `rejected`. */
      rejectionReason: z.enum(rejectionReasons).optional(),
      /** Where people sign in it is not looked at: who is signed in signs. */
      who: nameOf(100).min(1).optional(),
      remark: z.string().max(2000).default(""),
      /** The networks' result was hidden until the points were placed; only for `by_hand`. */
      isBlind: z.boolean().default(false),
      geometry: z
        .strictObject({
          frame: frameSize,
          corners: corners.nullable(),
          heart: heartPoints,
          edges: vertebralEdges,
          /** Where the axes rest on an outline that the user may have moved. */
          outline: z.array(point).min(3).max(1000).optional(),
        })
        .nullable(),
    }),
    response: z.object({ film, reading }),
    permission: "sign",
  },
  /**
   * Takes back the user's reading that counts: appends a copy of the one before. CONFLICT if another reading counts, or
   * there is none before.
   */
  "readings.undo": {
    request: z.strictObject({ filmId: id, readingId: id }),
    response: z.object({ film, reading }),
    permission: "sign",
  },
  /**
   * ZIP of films with a user's reading as annotated data; `filmIds` empty: all of them. The page creates the
   * `exportId`, to cancel it. @see jobs.cancel
   */
  "films.exportAnnotated": {
    request: z.strictObject({ exportId, filmIds: z.array(id).max(10_000) }),
    response: z.object({ download, exported: z.int(), skipped: z.array(z.object({ filmId: id, reason: z.string() })) }),
    permission: "share",
    isAvailableWithoutDatabase: true,
  },
  /** The film that this page shows; null: none. Other pages are notified. */
  "films.sayOpen": { request: z.strictObject({ filmId: id.nullable() }), response: nothing, permission: "look" },
  /** Films that are open at another machine, or in another window of this one. */
  "films.openElsewhere": { request: nothing, response: z.object({ films: openElsewhere.array() }), permission: "look" },
  /** Films that wait to be measured, the next one first; those under way wait no longer. */
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
