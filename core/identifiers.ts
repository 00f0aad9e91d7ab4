/**
 * Longest identifier that a client may give a patient or a clinic [UTF-16 code units]: it is kept in the ledger for
 * good.
 */
export const longestIdentifier = 256;
