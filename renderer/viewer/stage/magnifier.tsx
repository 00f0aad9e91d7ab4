import { Loupe } from "../../film/magnifier/loupe.tsx";
import { useMagnifier } from "../../film/magnifier/magnifier-switch.ts";
import { filmToStage, mapped, type ScreenPoint } from "../../film/view.ts";
import { useViewer } from "../viewer-slice.ts";
import { useProbe } from "./probe-slice.ts";

/** The film three times as large beside the pixel that is read out: it goes with the pointer and with the crosshair. */
export function Magnifier() {
  const isOn = useMagnifier((state) => state.isOn);
  const at = useProbe((state) => state.at);
  const { pixels, view, stage } = useViewer();
  if (!isOn || !at || !pixels) return null;
  return <StageLoupe at={mapped(filmToStage(view, pixels, stage), { x: at.x + 0.5, y: at.y + 0.5 })} />;
}

/** The open film magnified beside a point of the stage. */
export function StageLoupe({ at }: { readonly at: ScreenPoint }) {
  const { pixels, view, stage, window, isInverted } = useViewer();
  return pixels && <Loupe {...{ at, pixels, view, stage, window, isInverted }} />;
}
