/** SQL function of every connection: normalises a text for searching. */
export const searchedFunction = "searched_text";
