import { Component, type ReactNode } from "react";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { fillMessage } from "../ui/message.ts";
import { useLanguage } from "../ui/language.ts";
import { commonMessages } from "../ui/messages/common.ts";

/** Keeps a bug in one place of the program from taking the others with it. */
export class FaultBoundary extends Component<{ readonly children: ReactNode }, { readonly isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override render() {
    if (!this.state.isBroken) return this.props.children;
    const { language } = useLanguage.getState();
    return (
      <Empty icon="alert" title={fillMessage(commonMessages.crashTitle, language)}>
        <p>{fillMessage(commonMessages.crashText, language)}</p>
        <Button onClick={() => this.setState({ isBroken: false })}>
          {fillMessage(commonMessages.retry, language)}
        </Button>
      </Empty>
    );
  }
}
