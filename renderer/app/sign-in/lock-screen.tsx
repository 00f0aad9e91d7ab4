import "./sign-in.css";
import type { PersonSession } from "../../../core/contract/desktop/practice/people.ts";
import { usePeople } from "../../state/people.ts";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { useText } from "../../ui/language/language.ts";
import { Icon } from "../../ui/icon.tsx";
import { useCommands } from "../../ui/keys/shortcuts.ts";
import { SignInForm } from "./sign-in-form.tsx";

export function LockScreen({ session }: { readonly session: PersonSession }) {
  const text = useText();
  return (
    <main className="whole lock-screen">
      <section className="card stack sign-in">
        <header className="row">
          <Icon name="patient" />
          <h1>{text("people.whoIsHere")}</h1>
        </header>
        <SignInForm session={session} chosen={session.lastId} />
      </section>
    </main>
  );
}

export function PersonButton() {
  const text = useText();
  const { session, isSwitching, setSwitching, lock } = usePeople();
  const isOn = session?.isOn === true && session.me !== null;
  useCommands(isOn ? { "people.switch": () => setSwitching(true), "people.lock": () => void lock() } : {});
  if (!isOn || !session.me) return null;
  return (
    <>
      <button
        type="button"
        className="person-button"
        aria-label={text("people.signedInAs", { name: session.me.name })}
        onClick={() => setSwitching(true)}
      >
        <Icon name="patient" />
        {session.me.name}
      </button>
      <Dialog isOpen={isSwitching} onClose={() => setSwitching(false)} title={text("people.switch")}>
        <SignInForm session={session} chosen={null} />
      </Dialog>
    </>
  );
}
