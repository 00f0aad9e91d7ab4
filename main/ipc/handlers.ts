import type { DesktopChannel, DesktopParsedRequest, DesktopResponse } from "../../core/contract/desktop.ts";
import type { CaptureSessions } from "../services/worklist/capture.ts";
import type { DesktopContext } from "../services/desktop/desktop-context.ts";
import type { AnsweredRequest } from "../../core/contract/desktop/program.ts";
import type { ReceiverFault } from "../../core/contract/desktop/network/dicom.ts";
import type { DicomReceive } from "../services/network/dicom-receive.ts";
import type { Pacs } from "../services/network/pacs.ts";
import type { RunningJobs } from "../services/desktop/running-jobs.ts";
import type { DicomSend } from "../services/network/dicom-send.ts";
import type { FilmQueue } from "../services/worklist/film-queue.ts";
import type { OpenFilms } from "../services/worklist/open-films.ts";
import type { Openings } from "../services/practice/openings.ts";
import type { MllpSender } from "../services/practice/mllp/mllp-sender.ts";
import type { WatchedFolders } from "../services/practice/watched-folders.ts";
import type { PersonSessions } from "../services/people/person-sessions.ts";
import type { BackupMaking } from "../services/program/backups/page-backups.ts";
import type { PageSessions } from "./page/page-sessions.ts";
import type { StartAtLogIn } from "../services/desktop/start-at-log-in.ts";
import type { Sealer } from "../services/desktop/secrets.ts";
import type { UpdateOrigin } from "../services/updates/shown-updates.ts";
import type { Updates } from "../services/updates/updates.ts";
import type { UpdateHost } from "../services/updates/update-host.ts";
import type { OpenMail } from "../services/results/mail-handout.ts";
import type { UsgScreening } from "../services/calls/screen-usg.ts";

export type DesktopOptions = {
  readonly usg: UsgScreening;
  readonly packFolders: readonly string[];
  /** Address of the service; called once it listens. */
  readonly serverUrl: () => string;
  /** PEM file of the local certificate authority's public part. */
  readonly authorityFile: string;
  /** Time at which a successor replaces the authority; null if none is planned. */
  readonly authorityRenewal?: () => { readonly at: Date } | null;
  /** Faults of this run, newest first. */
  readonly faults: () => DesktopResponse<"app.faults">["faults"];
  /** The most recent API requests, oldest first. */
  readonly recentRequests: () => readonly AnsweredRequest[];
  /** Location of the store as given on the command line. */
  readonly database?: string | null | undefined;
  readonly sealer?: Sealer | null;
  readonly openFolder?: (folder: string) => Promise<void>;
  /** Start at log-in; only if the program is installed with a window. */
  readonly startAtLogIn?: StartAtLogIn | null;
  /** Restarts the program; only where it can restart itself. */
  readonly restart?: (() => void) | null;
  readonly isBackingUp?: () => boolean;
  /** Installs updates; only if the program is installed with a window. */
  readonly updateHost?: UpdateHost | null;
  /** Trusted keys and address of releases; replaced in tests. */
  readonly updateOrigin?: UpdateOrigin;
  /** Called with the fault of an enabled DICOM receiver that is not listening; null if it listens or is disabled. */
  readonly onReceiver?: (fault: ReceiverFault | null) => void;
  /** Opens a draft in the user's mail program; undefined without a window. */
  readonly openMail?: OpenMail;
  /** Interval of polling watched folders, free disk space and the database [ms]; each has its own by default. */
  readonly pollMs?: number;
};

export type DesktopParts = {
  readonly context: DesktopContext;
  readonly options: DesktopOptions;
  readonly queue: FilmQueue;
  readonly captures: CaptureSessions;
  readonly openFilms: OpenFilms;
  readonly receive: DicomReceive;
  readonly send: DicomSend;
  readonly pacs: Pacs;
  readonly jobs: RunningJobs;
  readonly folders: WatchedFolders;
  readonly mllp: MllpSender;
  readonly openings: Openings;
  /** Address of the practice's database without user and password; null if the store is a file. */
  readonly database: string | null;
  /** Makes a backup as the job `backupJob(backupId)`. */
  readonly makeBackup: BackupMaking;
  readonly updates: Updates;
  readonly sessions: PersonSessions;
  readonly pageSessions: PageSessions;
};

/**
 * Handlers of some channels: each maps a parsed request to a response and throws failures; what a handler of a channel
 * with an empty response returns is ignored. `session` is the page's.
 */
export type Handlers<C extends DesktopChannel> = {
  readonly [K in C]: (request: DesktopParsedRequest<K>, session: string) => Returned<K> | Promise<Returned<K>>;
};

type Returned<K extends DesktopChannel> =
  DesktopResponse<K> extends Record<string, never> ? unknown : DesktopResponse<K>;
