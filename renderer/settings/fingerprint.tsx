import { Fragment } from "react";

/** A certificate's fingerprint, its bytes apart; breaks between them, never inside one. */
export function Fingerprint({ hex }: { readonly hex: string }) {
  return (hex.match(/[\da-f]{2}/gi) ?? []).map((byte, index) => (
    <Fragment key={index}>
      {index > 0 && (
        <>
          :<wbr />
        </>
      )}
      {byte.toUpperCase()}
    </Fragment>
  ));
}
