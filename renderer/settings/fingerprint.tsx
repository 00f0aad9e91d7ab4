import { Fragment } from "react";

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
