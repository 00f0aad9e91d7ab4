/** Signature and remark of a reading. */
export type Signature = { readonly who: string; readonly remark: string };

/** Writes with name and findings as they are entered; asks for the name first where there is none. */
type Sign = (write: (signature: Signature) => Promise<boolean>) => Promise<void>;
let sign: Sign = async () => undefined;

/** Who signs what is saved from elsewhere than the signature's own buttons. */
export function signWith(next: Sign): void {
  sign = next;
}

/** Has what is saved signed by whoever signs now. */
export const signed: Sign = (write) => sign(write);
