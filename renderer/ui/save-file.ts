/** Excel reads a table without it in the code page of its Windows, and "Jürgen" as "JÃ¼rgen". */
const byteOrderMark = "\ufeff";

/** Hands a text file to the user as a download, a table with a byte order mark. */
export function saveTextFile(file: {
  readonly fileName: string;
  readonly mediaType: string;
  readonly text: string;
}): void {
  const parts = file.mediaType === "text/csv" ? [byteOrderMark, file.text] : [file.text];
  const url = URL.createObjectURL(new Blob(parts, { type: file.mediaType }));
  saveUrl(url, file.fileName);
  URL.revokeObjectURL(url);
}

/** Hands a file of the program's own address to the user as a download. */
export function saveUrl(url: string, fileName: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
}
