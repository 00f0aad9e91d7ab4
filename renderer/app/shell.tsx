import "./app.css";
import { useEffect, useLayoutEffect, useState } from "react";
import { AnonymousExport } from "../anonymous/anonymous-export.tsx";
import { NamesQuestion } from "../anonymous/names-question.tsx";
import { OpeningQuestion } from "../opening/opening-question.tsx";
import { Help } from "../help/help.tsx";
import { ReportMenu } from "../report/report-menu.tsx";
import { hasUnsavedInput } from "./connection/unsaved.ts";
import { attempt } from "../state/faults.ts";
import { later } from "../state/later.tsx";
import { useNavigation, type Screen } from "../state/navigation.ts";
import { isLocked, usePeople } from "../state/people.ts";
import { useSeenScreens } from "../state/places/seen-screens.ts";
import { useProgram } from "../state/program.ts";
import { Question } from "../ui/dialogs/dialog.tsx";
import { Empty, Loading, ProgramAway } from "../ui/empty.tsx";
import { useText } from "../ui/language/language.ts";
import { useCommands, useKeyboard } from "../ui/keys/shortcuts.ts";
import { ToastSlot } from "../ui/notes/toast-slot.tsx";
import { PortalContainer } from "../ui/dialogs/portal-container.ts";
import { useCorrection } from "../viewer/correction/correction-slice.ts";
import { Viewer } from "../viewer/viewer.tsx";
import { DropZone } from "../worklist/drop-zone.tsx";
import { Worklist } from "../worklist/worklist.tsx";
import { FaultBoundary } from "./fault-boundary.tsx";
import { LockScreen } from "./sign-in/lock-screen.tsx";
import { useIdleLock } from "./sign-in/use-idle-lock.ts";
import { Rail } from "./rail.tsx";
import { compareDropped } from "./compare-films.ts";
import { useCompareBefore } from "./keys/use-compare-before.ts";
import { ShortcutList } from "./keys/shortcut-list.tsx";
import { StandingNotices } from "./status/standing-notices.tsx";
import { UpdateNote } from "./status/update-note.tsx";
import { StatusBar } from "./status/status-bar.tsx";
import { useProgramLink } from "./connection/use-program-link.ts";

// The first film needs only the worklist and the viewer; other screens load on demand.
const Trends = later(async () => (await import("../trends/trends.tsx")).Trends);
const Usg = later(async () => (await import("../usg/usg.tsx")).Usg);
const Capture = later(async () => (await import("../capture/capture.tsx")).Capture);
const Agreement = later(async () => (await import("../agreement/agreement.tsx")).Agreement);
const Ledger = later(async () => (await import("../ledger/ledger.tsx")).Ledger);
const SettingsPage = later(async () => (await import("../settings/settings-page.tsx")).SettingsPage);

export function Shell() {
  const text = useText();
  useProgramLink();
  useIdleLock();
  useKeyboard();
  useCloseGuard();
  const link = useProgram((state) => state.link);
  const session = usePeople((state) => state.session);
  const go = useNavigation((state) => state.go);
  const screen = useNavigation((state) => state.screen);
  const [main, setMain] = useState<HTMLElement | null>(null);
  const seen = useSeenScreens();
  useCommands(Object.fromEntries(seen.map((place) => [`go.${place}`, () => go(place)])));
  useLeaveForbiddenScreen(!isLocked(session) && !seen.includes(screen));
  if (link === "signed-out")
    return (
      <main className="whole">
        <h1 className="visually-hidden">{text("common.program")}</h1>
        <Empty icon="offline" title={text("common.signedOutTitle")}>
          <p>{text("common.signedOutText")}</p>
        </Empty>
      </main>
    );
  if (session !== null && isLocked(session))
    return (
      <>
        <LockScreen session={session} />
        <ToastSlot />
      </>
    );
  if (link === "starting")
    return (
      <main className="whole">
        <h1 className="visually-hidden">{text("common.program")}</h1>
        <Loading label={text("common.starting")} />
      </main>
    );
  return (
    <ProgramAway value={link === "offline"}>
      <PortalContainer value={main}>
        <div className="shell">
          <a className="skip" href="#content">
            {text("common.skip")}
          </a>
          <Rail />
          <main ref={setMain} id="content" className="content" tabIndex={-1}>
            <h1 className="visually-hidden">{text("common.program")}</h1>
            <StandingNotices />
            <UpdateNote />
            <div className="screen">
              <CurrentScreen />
            </div>
            {/* On the films screen, messages appear below the worklist so that the film keeps its size. */}
            {screen !== "films" && <ToastSlot />}
            <DropZone />
          </main>
          <StatusBar />
          <ShortcutList />
          <AnonymousExport />
          <NamesQuestion />
          <Help />
          <LeaveQuestion />
          <OpeningQuestion />
          <CompareBefore />
        </div>
      </PortalContainer>
    </ProgramAway>
  );
}

/** A separate component, so that opening a film does not render the shell. */
function CompareBefore() {
  useCompareBefore();
  return null;
}

function useLeaveForbiddenScreen(isForbidden: boolean): void {
  const go = useNavigation((state) => state.go);
  useLayoutEffect(() => {
    if (isForbidden) go("films");
  }, [isForbidden, go]);
}

/** Makes the browser ask before unsaved work is lost by closing or reloading the window. */
function useCloseGuard(): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (hasUnsavedInput()) event.preventDefault();
    };
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, []);
}

function CurrentScreen() {
  const screen = useNavigation((state) => state.screen);
  return <FaultBoundary key={screen}>{screenOf(screen)}</FaultBoundary>;
}

function screenOf(screen: Screen) {
  switch (screen) {
    case "films":
      return (
        <div className="reading-room" onDrop={compareDropped}>
          <Worklist />
          <ToastSlot />
          <Viewer actions={<ReportMenu />} />
        </div>
      );
    case "trends":
      return <Trends />;
    case "usg":
      return <Usg />;
    case "capture":
      return <Capture />;
    case "agreement":
      return <Agreement />;
    case "ledger":
      return <Ledger />;
    case "settings":
      return <SettingsPage />;
  }
}

function LeaveQuestion() {
  const text = useText();
  const { pending, answer } = useNavigation();
  const isByHand = useCorrection((state) => state.mode === "by_hand");
  return (
    <Question
      isOpen={pending !== null}
      title={text(isByHand ? "common.unsavedByHandTitle" : "common.unsavedTitle")}
      description={text(isByHand ? "common.unsavedByHandText" : "common.unsavedText")}
      confirm={text("common.save")}
      onConfirm={() => attempt(() => answer("save"))}
      onCancel={() => void answer("stay")}
      other={{ label: text("common.discard"), onChoose: () => void answer("discard") }}
    />
  );
}
