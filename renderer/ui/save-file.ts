import { csvFile } from "../../core/csv-text.ts";

export function saveTextFile(file: {
  readonly fileName: string;
  readonly mediaType: string;
  readonly text: string;
}): void {
  const text = file.mediaType === "text/csv" ? csvFile(file.text) : file.text;
  const url = URL.createObjectURL(new Blob([text], { type: file.mediaType }));
  saveUrl(url, file.fileName);
  URL.revokeObjectURL(url);
}

export function saveCsv(fileName: string, text: string): void {
  saveTextFile({ fileName, mediaType: "text/csv", text });
}

export function saveUrl(url: string, fileName: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
}
