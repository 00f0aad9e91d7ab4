import { AppError, because } from "../../../core/app-error.ts";
import type { DicomNode } from "../../../core/contract/desktop/network/dicom.ts";
import type { FetchProgress, FoundStudy, StudyQuery } from "../../../core/contract/desktop/network/pacs.ts";
import type { DesktopParsedRequest, DesktopResponse } from "../../../core/contract/desktop.ts";
import type { FetchMessage } from "../../dicom/network/query/query-calls.ts";
import { fetchFrom, findIn, type ReachedNode } from "../../dicom/network/nodes.ts";
import type { ReadableDb } from "../../store/connection.ts";
import { fits } from "../../dicom/results/data-set.ts";
import { studyUidOf } from "../../dicom/results/modules.ts";
import { listFilmsOfPatient } from "../../store/films/films.ts";
import { listNumbersOfPatient } from "../../store/films/dicom/dicom-patients.ts";
import { getPatient, type PatientRow } from "../../store/films/patients.ts";
import { identifiesPatient } from "../results/film-identity.ts";
import { storedInstance, type DicomInstance } from "../../../core/contract/desktop/network/dicom-instance.ts";
import { listInstancesOfPatient, listInstancesOfStudies } from "../../store/films/dicom/dicom-instances.ts";
import { getSetting } from "../../store/settings.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import type { DicomReceive } from "./dicom-receive.ts";
import { getNode, receiverSetting } from "./dicom-settings.ts";
import { nodeWithSecrets } from "./node-with-secrets.ts";
import { listSentObjects } from "./sendings.ts";
import type { RunningJobs } from "../desktop/running-jobs.ts";
import { receivedDir } from "../../store/files/store-files.ts";
import { identifierOf, mergedStudies, studyOf } from "./study-query.ts";

export type Pacs = ReturnType<typeof createPacs>;

export function createPacs(context: DesktopContext, receive: DicomReceive, { run }: RunningJobs) {
  /** Objects fetched per study since the start, including those that do not appear on the worklist. */
  const delivered = new Map<string, number>();
  const ownTitle = async () => (await getSetting(context.db, receiverSetting)).aeTitle;

  const find = async (node: DicomNode, query: StudyQuery, signal: AbortSignal) => {
    const reached = await nodeWithSecrets(context, node);
    if ("reason" in reached) return { studies: [], isCutOff: false, failure: reached };
    return searchStudies(reached, query, { aeTitle: await ownTitle(), signal });
  };
  const findAll = async (node: DicomNode, numbers: readonly string[], signal: AbortSignal) => {
    let all: Awaited<ReturnType<typeof find>> = { studies: [], isCutOff: false, failure: null };
    for (const number of numbers) {
      if (all.failure) break;
      const { studies, isCutOff, failure } = await find(node, { patientId: number }, signal);
      all = { studies: mergedStudies([...all.studies, ...studies]), isCutOff: all.isCutOff || isCutOff, failure };
    }
    return all;
  };
  const listenerFor = (jobId: string, before: FetchProgress) => (message: FetchMessage) => {
    if (message.kind === "received") return receive.importObject(message.fileName);
    context.publish({ name: "pacs.fetching", payload: { jobId, progress: sumOf(before, message.progress) } });
  };
  const fetchOne = async (
    node: DicomNode,
    identifier: Readonly<Record<string, string>>,
    { jobId, before, signal }: { readonly jobId: string; readonly before: FetchProgress; readonly signal: AbortSignal },
  ) => {
    const reached = await nodeWithSecrets(context, node);
    if ("reason" in reached) return { ...nothing, failure: reached };
    const isListening = (await receive.get()).state === "listening";
    const answer = await fetchFrom(reached, identifier, {
      aeTitle: await ownTitle(),
      signal,
      folder: receivedDir(context.dataDir),
      destinationAeTitle: isListening ? await ownTitle() : null,
      onMessage: listenerFor(jobId, before),
    });
    if (answer.failure)
      context.log.warn(
        { reason: answer.failure.reason, detail: answer.failure.detail },
        "fetching from a PACS ended early",
      );
    return answer;
  };
  return {
    find: ({ jobId, nodeId, query }: DesktopParsedRequest<"pacs.find">) =>
      run(jobId, async (signal) => find(await getNode(context.db, nodeId), query, signal)),
    fetch: ({ jobId, nodeId, studyInstanceUid, film }: DesktopParsedRequest<"pacs.fetch">) =>
      run(jobId, async (signal) => {
        const identifier = {
          StudyInstanceUID: studyInstanceUid,
          ...(film && { SeriesInstanceUID: film.seriesInstanceUid, SOPInstanceUID: film.sopInstanceUid }),
        };
        const { fetchedObjects, failedObjects, failure } = await fetchOne(
          await getNode(context.db, nodeId),
          identifier,
          {
            jobId,
            before: nothing,
            signal,
          },
        );
        return { fetchedObjects, failedObjects, failure };
      }),
    fetchPrior: ({ jobId, nodeId, patientId }: DesktopParsedRequest<"pacs.fetchPrior">) =>
      run(jobId, async (signal) => {
        const node = await getNode(context.db, nodeId);
        const patient = await getPatient(context.db, patientId);
        const instances = await listInstancesOfPatient(context.db, patient.id);
        const films = instances.map(storedInstance);
        const numbers = await numbersInArchives(context.db, patient, films);
        if (numbers.length === 0) throw new AppError("CONFLICT", because("patientWithoutDicomId"));
        const found = await findAll(node, numbers, signal);
        const own = await ownStudies(context.db, patient);
        const known = await knownObjects(context.db, found.studies, nodeId);
        const isHere = ({ studyInstanceUid: uid, objects }: FoundStudy) => {
          const here = known.get(uid)?.size ?? 0;
          return here > 0 && objects !== null && Math.max(here, delivered.get(uid) ?? 0) >= objects;
        };
        const wanted = found.studies.filter(
          (study) => isRadiography(study) && !own.includes(study.studyInstanceUid) && !isHere(study),
        );
        let done = nothing;
        let { failure } = found;
        for (const { studyInstanceUid } of wanted) {
          if (failure) break;
          const answer = await fetchOne(node, { StudyInstanceUID: studyInstanceUid }, { jobId, before: done, signal });
          delivered.set(studyInstanceUid, answer.fetchedObjects);
          done = sumOf(done, answer);
          ({ failure } = answer);
        }
        const { fetchedObjects, failedObjects } = done;
        return { studies: wanted.length, isCutOff: found.isCutOff, fetchedObjects, failedObjects, failure };
      }),
  };
}

/** Practices store the owner in the animal's name or in Responsible Person, so both are queried. */
export async function searchStudies(
  node: ReachedNode,
  query: StudyQuery,
  options: { readonly aeTitle: string; readonly signal?: AbortSignal },
): Promise<DesktopResponse<"pacs.find">> {
  const byName = await findIn(node, identifierOf(query, "patient"), options);
  const first = byName.matches.map(studyOf);
  if (!query.name || byName.failure || byName.isCutOff)
    return { studies: mergedStudies(first), isCutOff: byName.isCutOff, failure: byName.failure };
  const byOwner = await findIn(node, identifierOf(query, "owner"), options);
  // A PACS without support for the element refuses it or returns all studies, so owners are matched here.
  const isUnsupported = byOwner.failure?.reason === "query-refused" || byOwner.failure?.reason === "web-refused";
  const wanted = query.name.replaceAll(/[*?]/g, "").toLocaleLowerCase();
  const answered = byOwner.matches.map(studyOf);
  const ofOwner = answered.filter((study) => study?.responsiblePerson?.toLocaleLowerCase().includes(wanted));
  const isCutOff = byOwner.isCutOff && answered.some((study) => study !== null && study.responsiblePerson !== null);
  return { studies: mergedStudies([...first, ...ofOwner]), isCutOff, failure: isUnsupported ? null : byOwner.failure };
}

const nothing: FetchProgress = { fetchedObjects: 0, failedObjects: 0, objects: null };

function sumOf(before: FetchProgress, { fetchedObjects, failedObjects, objects }: FetchProgress): FetchProgress {
  return {
    fetchedObjects: before.fetchedObjects + fetchedObjects,
    failedObjects: before.failedObjects + failedObjects,
    objects: objects === null ? before.objects : (before.objects ?? 0) + objects,
  };
}

/** Omits IDs with wildcards, which match other patients, and IDs in files that do not identify this patient. */
async function numbersInArchives(
  db: ReadableDb,
  patient: PatientRow,
  films: readonly DicomInstance[],
): Promise<readonly string[]> {
  const numbers = new Set(await listNumbersOfPatient(db, patient));
  for (const film of films) {
    const { id } = film.patient;
    if (id !== null && !numbers.has(id) && (await identifiesPatient(db, film, patient))) numbers.add(id);
  }
  return [...numbers].filter((number) => fits("LO", number) && !/[*?]/.test(number));
}

/** Lists studies created for results, which need not be fetched. */
async function ownStudies(db: ReadableDb, patient: PatientRow): Promise<readonly string[]> {
  const films = await listFilmsOfPatient(db, patient.id);
  return films.map(({ sha256 }) => studyUidOf({ source: null, order: null, imageSha256: sha256, patient }));
}

/** Returns films on the worklist and results sent to this node, by study. */
async function knownObjects(
  db: ReadableDb,
  studies: readonly FoundStudy[],
  nodeId: string,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const objects = new Map<string, Set<string>>();
  const uids = studies.map(({ studyInstanceUid }) => studyInstanceUid);
  const films = await listInstancesOfStudies(db, uids);
  const filmIds = films.map(({ filmId }) => filmId);
  const sent = await listSentObjects(db, filmIds, nodeId);
  for (const { filmId, studyInstanceUid, sopInstanceUid } of films) {
    if (studyInstanceUid === null || sopInstanceUid === null) continue;
    const known = objects.get(studyInstanceUid) ?? [];
    objects.set(studyInstanceUid, new Set([...known, sopInstanceUid, ...(sent.get(filmId) ?? [])]));
  }
  return objects;
}

/** A study that lists no modalities may contain radiographs. */
function isRadiography({ modalities }: FoundStudy): boolean {
  return modalities.length === 0 || modalities.some((modality) => /^(CR|DX|DR|RG|RF|XR|SC|OT|X-RAY)$/.test(modality));
}
