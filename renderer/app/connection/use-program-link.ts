import { useEffect } from "react";
import type { DesktopEvent, DesktopEventPayload } from "../../../core/contract/desktop/events.ts";
import { faultInWords } from "../../../core/language/failure-in-words.ts";
import { reloadOnDatabaseChange } from "./reload-on-database-change.ts";
import { invalidateAfter } from "./stale-channels.ts";
import { useBackup } from "../../state/upkeep/backup.ts";
import { connection, ProgramError } from "../../state/connection.ts";
import { showFault } from "../../state/faults.ts";
import { useAnnotations } from "../../state/drawing/annotations.ts";
import { useLeftAlone } from "../../state/transfers/left-alone.ts";
import { useFilms } from "../../state/films/films.ts";
import { useOpening } from "../../state/places/opening.ts";
import { isLocked, usePeople } from "../../state/people.ts";
import { usePatients } from "../../state/patients.ts";
import { usePreferences } from "../../state/preferences.ts";
import { useProgram } from "../../state/program.ts";
import { queryClient } from "../../state/queries.ts";
import { useFetchProgress, useSendProgress } from "../../state/transfers/progress.ts";
import { useSettingsTab } from "../../state/places/settings-tab.ts";
import { setUpdates } from "../../state/upkeep/updates.ts";
import { runCommand, useShortcutKeys, type Command } from "../../ui/keys/shortcuts.ts";
import { settleToasts, showToast } from "../../ui/notes/toasts.ts";
import { useCorrection } from "../../viewer/correction/correction-slice.ts";

type MenuCommand = DesktopEventPayload<"menu.command">["command"];

export function useProgramLink(): void {
  useEffect(() => {
    const { setLink } = useProgram.getState();
    const reload = async () => {
      try {
        // Signing in loads the rest.
        if (isLocked(await usePeople.getState().load())) return;
        await Promise.all([useProgram.getState().load(), useFilms.getState().load()]);
        await useFilms.getState().reloadReadings();
        if (useProgram.getState().link === "offline") await refreshScreens();
        useShortcutKeys.getState().setChanged(useProgram.getState().settings?.shortcuts ?? {});
        setLink("live");
        settleToasts("OFFLINE");
        await useOpening.getState().load();
      } catch (error) {
        if (error instanceof ProgramError && error.code === "NOT_SIGNED_IN") setLink("signed-out");
        else if (error instanceof ProgramError && error.code === "OFFLINE") setLink("offline");
        else showFault(error);
      }
    };
    const reloadAll = () => void reload().then(refreshScreens).catch(showFault);
    const handle = (event: DesktopEvent) => {
      if (event.name === "events.missed") reloadAll();
      receive(event);
    };
    const unsubscribe = connection().subscribe(handle, (isLive) => {
      if (isLive || useProgram.getState().link === "starting") void reload();
      else if (useProgram.getState().link === "live") setLink("offline");
    });
    // No events arrive while the screen is locked, and users differ in what they may see.
    const unsubscribeUser = usePeople.subscribe((now, before) => {
      if (now.session?.me?.id === before.session?.me?.id || before.session === null) return;
      if (isLocked(now.session)) return queryClient.clear();
      void queryClient.resetQueries();
      reloadAll();
    });
    const unfollowDatabase = reloadOnDatabaseChange();
    return () => {
      unsubscribe();
      unfollowDatabase();
      unsubscribeUser();
    };
  }, []);
}

async function refreshScreens(): Promise<void> {
  await Promise.all([usePatients.getState().refresh(), queryClient.invalidateQueries()]);
  const { openId } = useFilms.getState();
  if (openId !== null) useAnnotations.getState().noteChange(openId, Infinity);
}

function receive(event: DesktopEvent): void {
  invalidateAfter(event);
  switch (event.name) {
    case "film.changed":
      return useFilms.getState().receive(event.payload.film);
    case "film.removed":
      useCorrection.getState().drop(event.payload.filmIds);
      return useFilms.getState().forget(event.payload.filmIds);
    case "annotations.changed":
      return useAnnotations.getState().noteChange(event.payload.filmId, event.payload.version);
    case "files.leftAlone":
      return showUnopenedFiles(event.payload.files);
    case "patients.changed":
      return void usePatients.getState().refresh().catch(showFault);
    case "settings.changed":
      useShortcutKeys.getState().setChanged(event.payload.settings.shortcuts);
      usePreferences.getState().receive(event.payload.settings.view);
      return useProgram.getState().receiveSettings(event.payload.settings);
    case "ranges.changed":
      return useProgram.getState().receiveRanges(event.payload.ranges);
    case "updates.changed":
      return setUpdates(event.payload.state);
    case "packs.changed":
      return useProgram.getState().receiveHealth(event.payload.health);
    case "session.changed":
      return void usePeople.getState().load().catch(showFault);
    case "troubles.changed":
      return showTroubles(event.payload.troubles);
    case "queue.changed":
      return useProgram.getState().receiveQueue(event.payload.isFull);
    case "fault":
      return showReportedFault(event.payload.fault);
    case "opening.asked":
      return void useOpening.getState().load();
    case "menu.command":
      return runMenuCommand(event.payload.command);
    case "dicom.sending":
      return useSendProgress.getState().receive(event.payload.sendId, event.payload.progress);
    case "pacs.fetching":
      return useFetchProgress.getState().receive(event.payload.jobId, event.payload.progress);
    case "backup.progress":
      return useBackup.getState().receive(event.payload);
    case "events.missed":
    case "keys.revoked":
    case "openFilms.changed":
    case "dicom.changed":
    case "folders.changed":
    case "orders.changed":
    case "server.changed":
    case "ledger.changed":
    case "screenings.changed":
    case "publishers.changed":
    case "encryption.changed":
      return;
  }
}

/** Lists files opened from the menu, the command line or by a drop on the program icon that are not films. */
function showUnopenedFiles(files: DesktopEventPayload<"files.leftAlone">["files"]): void {
  const { begin, add } = useLeftAlone.getState();
  if (!useFilms.getState().opening) begin();
  add({ noFilms: files });
}

function showReportedFault(fault: DesktopEventPayload<"fault">["fault"]): void {
  const isStanding = useProgram.getState().health?.troubles.some(({ code }) => code === fault.code) ?? false;
  if (!isStanding) showToast("fault", (say) => faultInWords(fault, say), { about: fault.code });
}

function showTroubles(troubles: DesktopEventPayload<"troubles.changed">["troubles"]): void {
  const { health, receiveTroubles } = useProgram.getState();
  receiveTroubles(troubles);
  const codes = new Set(troubles.map(({ code }) => code));
  for (const { code } of health?.troubles ?? []) if (!codes.has(code)) settleToasts(code);
  // Once there is free space, messages about the full disk are settled too.
  if (!codes.has("LOW_SPACE")) for (const code of ["LOW_SPACE", "DISK_FULL"]) settleToasts(code);
}

/** Screens that the user may not see do not register their command. */
const menuCommands: Readonly<Record<MenuCommand, Command>> = {
  "open-worklist": "go.films",
  "open-patients": "go.trends",
  "open-usg": "go.usg",
  "open-capture": "go.capture",
  "open-agreement": "go.agreement",
  "open-ledger": "go.ledger",
  "open-settings": "go.settings",
  about: "go.settings",
  "show-shortcuts": "shortcuts.show",
  "show-help": "shortcuts.help",
};

function runMenuCommand(command: MenuCommand): void {
  if (command === "about") useSettingsTab.getState().setTab("about");
  runCommand(menuCommands[command]);
}
