/** SQL function, defined on every connection, that normalises a text for searching. */
export const searchedFunction = "searched_text";
