import { geometryOf } from "../../film/draft/draft.ts";
import { KeyedButton } from "../../ui/keys/keyed-button.tsx";
import { useCommands } from "../../ui/keys/shortcuts.ts";
import { useCorrection } from "../correction/correction-slice.ts";
import { isChanged } from "../correction/correction-state.ts";
import type { Write } from "../correction/signing.ts";
import type { SignedWrites } from "./use-signed-writes.ts";

type SaveButtonProps = {
  readonly signed: SignedWrites["signed"];
  readonly focusesSaved: (save: Write) => Write;
};

export function SaveButton({ signed, focusesSaved }: SaveButtonProps) {
  const { save } = useCorrection.getState();
  const canSave = useCorrection(
    ({ stack, start }) => geometryOf(stack.present) !== null && isChanged({ stack, start }),
  );
  useCommands(canSave ? { "correct.save": () => signed(save) } : {});
  return (
    <KeyedButton
      command="correct.save"
      tone="primary"
      className="span-2"
      disabled={!canSave}
      onClick={() => signed(focusesSaved(save))}
    />
  );
}
