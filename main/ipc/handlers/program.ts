import { readFileSync } from "node:fs";
import type { PackSummary, programContract } from "../../../core/contract/desktop/program.ts";
import { saveExport } from "../../services/desktop/exports.ts";
import { makeSupportBundle } from "../../services/program/support-bundle.ts";
import { programDir } from "../../program.ts";
import { AppError } from "../../../core/app-error.ts";
import { getDesktopSettings, saveDesktopSettings } from "../../services/desktop/desktop-settings.ts";
import { listTrainingSources } from "../../inference/packs/training-sources.ts";
import { listLicences, readLicenceText } from "../../services/program/licences/licences.ts";
import { activatePack, getHealth, listPacks } from "../../services/program/packs.ts";
import { addPublisher, listPublishers, removePublisher } from "../../services/program/publishers.ts";
import { configureServer, getServerSettings, getServerState } from "../../services/program/server-info.ts";
import type { DesktopParts, Handlers } from "../handlers.ts";

export async function programHandlers(parts: DesktopParts): Promise<Handlers<keyof typeof programContract>> {
  return { ...(await serverHandlers(parts)), ...appHandlers(parts) };
}

type Group<Prefix extends string> = Handlers<Extract<keyof typeof programContract, `${Prefix}.${string}`>>;

async function serverHandlers({ context, options }: DesktopParts): Promise<Group<"server" | "packs" | "publishers">> {
  const startedWith = await getServerSettings(context);
  const state = () =>
    getServerState(
      context,
      {
        url: options.serverUrl(),
        authorityFile: options.authorityFile,
        renewal: options.authorityRenewal?.() ?? null,
      },
      startedWith,
    );
  return {
    "server.get": state,
    "server.configure": async (settings) => {
      await configureServer(context, settings);
      context.publish({ name: "server.changed", payload: {} });
      return state();
    },
    "server.authority": () => ({
      fileName: "corvet-authority.pem",
      mediaType: "application/x-pem-file",
      text: readFileSync(options.authorityFile, "utf8"),
    }),
    "server.requests": () => ({
      requests: options.recentRequests().toReversed(),
    }),
    "packs.list": async () => ({ packs: await listPacks(context, options) }),
    "packs.activate": ({ name }) => activatePack(context, options, name),
    "publishers.list": async () => ({ publishers: await listPublishers(context) }),
    "publishers.add": (publisher) => addPublisher(context, options, publisher),
    "publishers.remove": ({ fingerprint }) => removePublisher(context, options, fingerprint),
  };
}

function appHandlers(parts: DesktopParts): Group<"app" | "settings" | "jobs"> {
  const { context, options, jobs, database } = parts;
  return {
    "jobs.cancel": ({ jobId }) => jobs.cancel(jobId),
    "settings.get": () => getDesktopSettings(context.db),
    "settings.save": (changes) => saveDesktopSettings(context, changes),
    "app.health": () => getHealth(context),
    "app.about": () => ({
      programVersion: context.programVersion,
      dataDir: context.dataDir,
      database,
      runtime: Object.entries(process.versions).flatMap(([name, version]) =>
        shownRuntimes.has(name) && version ? [{ name, version }] : [],
      ),
    }),
    "app.licences": () => ({
      licences: listLicences(programDir),
      licenceText: readLicenceText(programDir),
      trainingSources: listTrainingSources(options.packFolders),
    }),
    "app.faults": () => ({ faults: options.faults() }),
    "app.supportBundle": async () => {
      const packs = await listPacks(context, options);
      const { fileName, bytes } = await makeSupportBundle({
        ...context,
        packs: packs.map(packLine),
        health: getHealth(context),
      });
      return { download: { fileName, url: await saveExport(context.dataDir, "zip", bytes) } };
    },
    "app.logIn": () => ({ startsAtLogIn: options.startAtLogIn?.isOn() ?? null }),
    "app.saveLogIn": ({ startsAtLogIn }) => {
      if (!options.startAtLogIn) throw new AppError("NOT_AVAILABLE");
      options.startAtLogIn.turn(startsAtLogIn);
      return { startsAtLogIn: options.startAtLogIn.isOn() };
    },
    "app.openDataFolder": async () => {
      if (!options.openFolder) throw new AppError("NOT_AVAILABLE");
      await options.openFolder(context.dataDir);
    },
  };
}

function packLine({ name, kind, version, state, reason }: PackSummary) {
  return { name, kind, version, state, reason };
}

const shownRuntimes = new Set(["electron", "chrome", "node", "v8"]);
