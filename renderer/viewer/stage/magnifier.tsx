import { Loupe } from "../../film/magnifier/loupe.tsx";
import { useMagnifier } from "../../film/magnifier/magnifier-switch.ts";
import { filmToStage, mapped, type ScreenPoint } from "../../film/view.ts";
import { useViewer } from "../viewer-slice.ts";
import { useProbe } from "./probe-slice.ts";

/** Magnifies the film three times next to the pixel read out; follows the pointer and the crosshair. */
export function Magnifier() {
  const isOn = useMagnifier((state) => state.isOn);
  const at = useProbe((state) => state.at);
  const { pixels, view, stage } = useViewer();
  if (!isOn || !at || !pixels) return null;
  return <StageLoupe at={mapped(filmToStage(view, pixels, stage), { x: at.x + 0.5, y: at.y + 0.5 })} />;
}

export function StageLoupe({ at, avoid }: { readonly at: ScreenPoint; readonly avoid?: ScreenPoint | null }) {
  const { pixels, view, stage, window, isInverted } = useViewer();
  return pixels && <Loupe {...{ at, pixels, view, stage, window, isInverted, avoid: avoid ?? null }} />;
}
