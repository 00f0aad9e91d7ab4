import { expect, test, vi } from "vitest";
import { useAnnotations } from "../../../renderer/state/drawing/annotations.ts";
import { useNavigation } from "../../../renderer/state/navigation.ts";
import { useSigning } from "../../../renderer/viewer/correction/signing.ts";

/** Called by the page for each opened film, even if there is nothing to end. */
test.each([
  ["drawing", useAnnotations.subscribe, () => useAnnotations.getState().cancelDrawing()],
  ["guard", useNavigation.subscribe, () => useNavigation.getState().setGuard(null)],
  ["signature", useSigning.subscribe, () => useSigning.getState().dropUnsigned()],
] as const)("notifies no subscriber without a %s to end", (_, subscribe, end) => {
  const redraw = vi.fn<() => void>();
  const unsubscribe = subscribe(redraw);
  end();
  unsubscribe();
  expect(redraw).not.toHaveBeenCalled();
});
