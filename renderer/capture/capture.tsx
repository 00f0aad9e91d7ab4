import "./capture.css";
import { useEffect, useRef, useState } from "react";
import { ChosenPatient } from "../patients/chosen-patient.tsx";
import { attempt } from "../state/faults.ts";
import { useFilms } from "../state/films/films.ts";
import { showFilm } from "../state/films/show-film.ts";
import { useNavigation } from "../state/navigation.ts";
import { usePatients } from "../state/patients.ts";
import { ToSettings } from "../state/places/to-settings.tsx";
import { useProgram } from "../state/program.ts";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { Choice } from "../ui/fields/field.tsx";
import { useText } from "../ui/language/language.ts";
import { closeCamera, listCameras, openCamera, troubleOf, type Camera, type Trouble } from "./camera.ts";
import { CaptureProgress } from "./capture-progress.tsx";
import { useCapture } from "./capture-slice.ts";

export function Capture() {
  const text = useText();
  const isPopEnabled = useProgram((state) => state.health?.isPopEnabled ?? false);
  const patient = usePatients((state) => state.chosen);
  const { session, corners, start, cancel, reset } = useCapture();
  const { video, cameras, chosen, choose, trouble, retry } = useCamera(isPopEnabled);
  useOutline(video, chosen !== null);
  useEffect(() => reset, [reset]);
  useOpenResult();
  const isRunning = session?.status === "ready" || session?.status === "continue";
  if (!isPopEnabled) return <NoPack />;
  if (trouble) return <NoCamera trouble={trouble} onRetry={retry} />;
  return (
    <div className="capture">
      <div className="capture-picture">
        <video ref={video} autoPlay playsInline muted aria-label={text("capture.picture")} />
        {corners?.corners && !isRunning && (
          <svg
            viewBox={`0 0 ${corners.widthPx} ${corners.heightPx}`}
            className="outline"
            data-testid="outline"
            preserveAspectRatio="xMidYMid meet"
          >
            <polygon points={corners.corners.map(({ x, y }) => `${x},${y}`).join(" ")} />
          </svg>
        )}
      </div>
      <aside className="panel capture-panel">
        <div className="panel-scroll">
          <h1>{text("capture.title")}</h1>
          <p className="quiet">{text("capture.about")}</p>
          <Choice
            label={text("capture.camera")}
            value={chosen ?? ""}
            onChoose={choose}
            disabled={isRunning}
            options={cameras.map(({ deviceId, label }, index) => ({
              value: deviceId,
              label: label || text("capture.cameraNumber", { number: index + 1 }),
            }))}
          />
          <div className="row">
            <ChosenPatient
              patient={patient}
              label={text("films.patient")}
              chooseLabel={text("trends.choose")}
              isFixed={isRunning}
            />
          </div>
          <CaptureProgress />
        </div>
        <div className="decision">
          {isRunning ? (
            <Button icon="stop" onClick={() => attempt(cancel)}>
              {text("capture.stop")}
            </Button>
          ) : (
            <Button
              tone="primary"
              icon={session ? "retry" : "capture"}
              disabled={chosen === null}
              onClick={() =>
                video.current && attempt(() => start(video.current as HTMLVideoElement, patient?.id ?? null))
              }
            >
              {text(session ? "capture.retake" : "capture.start")}
            </Button>
          )}
        </div>
      </aside>
    </div>
  );
}

function NoPack() {
  const text = useText();
  return (
    <Empty icon="capture" title={text("errors.POP_NOT_LOADED")}>
      <p>{text("capture.noPackText")}</p>
      <ToSettings tab="packs" />
    </Empty>
  );
}

function NoCamera({ trouble, onRetry }: { readonly trouble: Trouble; readonly onRetry: () => void }) {
  const text = useText();
  const openFile = () => useNavigation.getState().go("films");
  return (
    <Empty icon="capture" title={text(`capture.${trouble}`)}>
      <p>{text(`capture.${trouble}Text`)}</p>
      <div className="row">
        <Button icon="retry" onClick={onRetry}>
          {text("capture.lookAgain")}
        </Button>
        <Button tone="plain" icon="films" onClick={openFile}>
          {text("capture.toFilms")}
        </Button>
      </div>
    </Empty>
  );
}

function useCamera(isWanted: boolean) {
  const video = useRef<HTMLVideoElement>(null);
  const [cameras, setCameras] = useState<readonly Camera[]>([]);
  const [requestedId, choose] = useState("");
  const [chosen, setChosen] = useState<string | null>(null);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (!isWanted) return;
    let stream: MediaStream | null = null;
    let isGone = false;
    const fail = (reason: Trouble) => {
      if (isGone) return;
      setTrouble(reason);
      setChosen(null);
      useCapture.getState().reset();
    };
    const open = async () => {
      stream = await openCamera(requestedId);
      if (isGone) return closeCamera(stream);
      // Without this, the camera's last picture would be captured repeatedly after it is unplugged.
      for (const track of stream.getVideoTracks()) track.addEventListener("ended", () => fail("noCamera"));
      if (video.current) video.current.srcObject = stream;
      setChosen(stream.getVideoTracks()[0]?.getSettings().deviceId ?? "");
      setCameras(await listCameras());
    };
    open().catch((error: unknown) => fail(troubleOf(error)));
    return () => {
      isGone = true;
      closeCamera(stream);
    };
  }, [requestedId, isWanted, tries]);
  const retry = () => {
    setTrouble(null);
    // The selected camera may have been unplugged.
    choose("");
    setTries(tries + 1);
  };
  return { video, cameras, chosen, choose, trouble, retry };
}

function useOutline(video: React.RefObject<HTMLVideoElement | null>, isOn: boolean): void {
  const followCorners = useCapture((state) => state.followCorners);
  useEffect(() => {
    const element = video.current;
    if (!isOn || !element) return;
    const following = new AbortController();
    attempt(() => followCorners(element, following.signal));
    return () => following.abort();
  }, [isOn, video, followCorners]);
}

/** Opens the film of a complete session in the viewer, which shows its result on the rectified film. */
function useOpenResult(): void {
  const filmId = useCapture((state) => (state.session?.status === "complete" ? state.session.filmId : null));
  useEffect(() => {
    if (!filmId) return;
    attempt(async () => {
      await useFilms.getState().load();
      showFilm(filmId);
    });
  }, [filmId]);
}
