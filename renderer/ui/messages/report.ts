import type { MessageTable } from "../message.ts";

/** Giving a film's result away. */
export const reportMessages = {
  menu: { en: "Give away", de: "Weitergeben" },
  handOut: { en: "Hand-out (PDF)", de: "Handzettel (PDF)" },
  saveDicom: { en: "Save as DICOM", de: "Als DICOM speichern" },
  sendTo: { en: "Send to {name}", de: "Senden an {name}" },
  addNode: { en: "Send to a PACS …", de: "An ein PACS senden …" },
  makingHandOut: { en: "Making the hand-out …", de: "Der Handzettel wird erstellt …" },
  makingDicom: { en: "Making the DICOM files …", de: "Die DICOM-Dateien werden erstellt …" },
  sending: { en: "Sending to {name} …", de: "Wird an {name} gesendet …" },
  progress: { en: "{sent} of {all} objects", de: "{sent} von {all} Objekten" },
  sent: { en: "{name} has taken {count} objects", de: "{name} hat {count} Objekte angenommen" },
  notSent: { en: "{name} has not taken the result", de: "{name} hat das Ergebnis nicht angenommen" },
  again: { en: "Try again", de: "Erneut versuchen" },
  logo: { en: "Logo", de: "Logo" },
  logoNote: { en: "PNG or JPEG; shown at the top of hand-outs", de: "PNG oder JPEG; steht oben auf Handzetteln" },
  chooseLogo: { en: "Choose …", de: "Auswählen …" },
  removeLogo: { en: "Remove", de: "Entfernen" },
  logoFault: { en: "This file is no picture that can be read", de: "Diese Datei ist kein lesbares Bild" },
  address: { en: "Address of the practice", de: "Anschrift der Praxis" },
  addressNote: { en: "Lines under the name on hand-outs", de: "Zeilen unter dem Namen auf Handzetteln" },
} as const satisfies MessageTable;
