import { create } from "zustand";
import { filmToStage, mapped } from "../../film/view.ts";
import { useViewer } from "../viewer-slice.ts";
import { Loupe } from "./loupe.tsx";
import { useProbe } from "./probe-slice.ts";

/** Whether the film is magnified under the pointer or the crosshair. */
export const useMagnifier = create<{ readonly isOn: boolean }>(() => ({ isOn: false }));

/** Takes the magnifier, or puts it away. */
export function toggleMagnifier(): void {
  useMagnifier.setState(({ isOn }) => ({ isOn: !isOn }));
}

/** The film three times as large beside the pixel that is read out: it goes with the pointer and with the crosshair. */
export function Magnifier() {
  const isOn = useMagnifier((state) => state.isOn);
  const at = useProbe((state) => state.at);
  const { pixels, view, stage } = useViewer();
  if (!isOn || !at || !pixels) return null;
  return <Loupe at={mapped(filmToStage(view, pixels, stage), { x: at.x + 0.5, y: at.y + 0.5 })} />;
}
