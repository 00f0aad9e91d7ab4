import { Component, type ReactNode } from "react";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { textNow } from "../ui/language/language.ts";

export class FaultBoundary extends Component<{ readonly children: ReactNode }, { readonly isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override render() {
    if (!this.state.isBroken) return this.props.children;
    const text = textNow();
    return (
      <Empty icon="alert" title={text("common.crashTitle")}>
        <p>{text("common.crashText")}</p>
        <Button onClick={() => this.setState({ isBroken: false })}>{text("common.retry")}</Button>
      </Empty>
    );
  }
}
