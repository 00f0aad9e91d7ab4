import { Fragment } from "react";

/** A certificate's fingerprint as bytes separated by colons, with line breaks only between bytes. */
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
