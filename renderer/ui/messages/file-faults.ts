/**
 * What is wrong with a file, in the program's English words, and the same in German; `$1` stands for what the program
 * fills in.
 */
const germanFaults: readonly (readonly [english: RegExp, german: string])[] = [
  [/^This is not a DICOM file$/, "Das ist keine DICOM-Datei"],
  [/^The DICOM file is empty$/, "Die DICOM-Datei ist leer"],
  [/^The DICOM file cannot be read: (.+)$/, "Die DICOM-Datei lässt sich nicht lesen: $1"],
  [
    /^The DICOM file is cut off: (.+) runs past its end$/,
    "Die DICOM-Datei ist abgeschnitten: $1 reicht über ihr Ende hinaus",
  ],
  [
    /^The DICOM file is cut off: frame (\d+) needs (\d+) bytes of pixel data, there are (\d+)$/,
    "Die DICOM-Datei ist abgeschnitten: Bild $1 braucht $2 Byte Pixeldaten, da sind $3",
  ],
  [/^The DICOM file is damaged or cut off at (.+)$/, "Die DICOM-Datei ist beschädigt oder abgeschnitten: $1"],
  [
    /^The DICOM file is damaged: (.+) has no value representation$/,
    "Die DICOM-Datei ist beschädigt: $1 hat keine Wertdarstellung",
  ],
  [
    /^The DICOM file is damaged: it has more than (\d+) elements$/,
    "Die DICOM-Datei ist beschädigt: Sie hat mehr als $1 Elemente",
  ],
  [
    /^The DICOM file is damaged: its sequences are nested too deeply$/,
    "Die DICOM-Datei ist beschädigt: Ihre Sequenzen sind zu tief verschachtelt",
  ],
  [
    /^The DICOM file is damaged: its deflated part cannot be unfolded$/,
    "Die DICOM-Datei ist beschädigt: Ihr gepackter Teil lässt sich nicht entpacken",
  ],
  [
    /^The DICOM file is damaged: frame (\d+) of its pixel data is missing$/,
    "Die DICOM-Datei ist beschädigt: Bild $1 ihrer Pixeldaten fehlt",
  ],
  [
    /^The DICOM file is damaged: its compressed picture has no readable header$/,
    "Die DICOM-Datei ist beschädigt: Ihr komprimiertes Bild hat keinen lesbaren Kopf",
  ],
  [
    /^The DICOM file is damaged: it announces (.+), its compressed picture has (.+) px with (.+)$/,
    "Die DICOM-Datei ist beschädigt: Angekündigt ist $1, das komprimierte Bild hat $2 px ($3)",
  ],
  [
    /^The DICOM file is damaged: its pixel data is not compressed, its transfer syntax says otherwise$/,
    "Die DICOM-Datei ist beschädigt: Ihre Pixeldaten sind entgegen der Transfersyntax nicht komprimiert",
  ],
  [
    /^The DICOM file is damaged: its pixel data is compressed, its transfer syntax says otherwise$/,
    "Die DICOM-Datei ist beschädigt: Ihre Pixeldaten sind entgegen der Transfersyntax komprimiert",
  ],
  [
    /^The DICOM file is damaged: its picture cannot be decompressed(.*)$/,
    "Die DICOM-Datei ist beschädigt: Ihr Bild lässt sich nicht entpacken$1",
  ],
  [
    /^The DICOM file is damaged: its compressed picture is not whole$/,
    "Die DICOM-Datei ist beschädigt: Ihr komprimiertes Bild ist unvollständig",
  ],
  [
    /^The DICOM file is damaged: its look-up table (.+) is not whole$/,
    "Die DICOM-Datei ist beschädigt: Ihre Wertetabelle $1 ist unvollständig",
  ],
  [/^The DICOM file is damaged: it does not say its (.+)$/, "Die DICOM-Datei ist beschädigt: Die Angabe $1 fehlt"],
  [
    /^The DICOM file is damaged: Bits Stored (.+) and High Bit (.+) do not fit Bits Allocated (.+)$/,
    "Die DICOM-Datei ist beschädigt: Bits Stored $1 und High Bit $2 passen nicht zu Bits Allocated $3",
  ],
  [
    /^The DICOM file is damaged: its picture has (.+) rows and (.+) columns$/,
    "Die DICOM-Datei ist beschädigt: Ihr Bild hat $1 Zeilen und $2 Spalten",
  ],
  [/^The DICOM file is damaged: its (.+ .+) is (.+)$/, "Die DICOM-Datei ist beschädigt: $1 ist $2"],
  [
    /^The DICOM file is damaged: (.+) with (.+) samples per pixel$/,
    "Die DICOM-Datei ist beschädigt: $1 mit $2 Werten je Pixel",
  ],
  [
    /^The DICOM file has (\d+) frames; frame (\d+) was asked for$/,
    "Die DICOM-Datei hat $1 Bilder; gefragt war Bild $2",
  ],
  [/^Compressed pictures of (.+) bits cannot be shown$/, "Komprimierte Bilder mit $1 Bit lassen sich nicht zeigen"],
  [
    /^Pictures in palette colours without a plain palette cannot be shown$/,
    "Bilder in Palettenfarben ohne einfache Palette lassen sich nicht zeigen",
  ],
  [/^Pictures with (.+) cannot be shown$/, "Bilder mit $1 lassen sich nicht zeigen"],
  [/^Pictures in transfer syntax (.+) cannot be shown$/, "Bilder in Transfersyntax $1 lassen sich nicht zeigen"],
  [/^The DICOMDIR names a file outside its folder$/, "Das DICOMDIR nennt eine Datei außerhalb seines Ordners"],
  [/^The DICOMDIR names more than (.+) files$/, "Das DICOMDIR nennt mehr als $1 Dateien"],
  [/^The DICOMDIR names a file by more than a path$/, "Das DICOMDIR nennt eine Datei mit mehr als einem Pfad"],
  [/^The DICOMDIR names this file, but it is not there$/, "Das DICOMDIR nennt diese Datei, aber sie ist nicht da"],
  [
    /^This DICOMDIR is a list of other files: open the folder that it lies in$/,
    "Dieses DICOMDIR ist eine Liste anderer Dateien: bitte den Ordner öffnen, in dem es liegt",
  ],
  [/^The DICOM file holds a PDF document and no picture$/, "Die DICOM-Datei enthält ein PDF-Dokument und kein Bild"],
  [/^An archive inside an archive is not opened$/, "Ein Archiv in einem Archiv wird nicht geöffnet"],
  [/^The ZIP file holds too much$/, "Die ZIP-Datei enthält zu viel"],
  [/^The file's name leads out of the archive$/, "Der Name der Datei führt aus dem Archiv hinaus"],
  [/^The file in the archive is locked with a password$/, "Die Datei im Archiv ist mit einem Kennwort gesperrt"],
  [/^The archive cannot be opened: (.+)$/, "Das Archiv lässt sich nicht öffnen: $1"],
  [/^The folder holds more than (\d+) files$/, "Der Ordner enthält mehr als $1 Dateien"],
  [/^The file is too large$/, "Die Datei ist zu groß"],
  [/^There is no such file$/, "Diese Datei gibt es nicht"],
  [/^The file cannot be read$/, "Die Datei lässt sich nicht lesen"],
  [/^The file is empty$/, "Die Datei ist leer"],
  [/^no film in it$/, "keine Aufnahme darin"],
  [
    /^Films are JPEG, PNG or DICOM; this file is none of them$/,
    "Aufnahmen sind JPEG, PNG oder DICOM; diese Datei ist nichts davon",
  ],
  [/^This is a PDF; films/, "Das ist ein PDF; Aufnahmen sind JPEG, PNG oder DICOM"],
  [
    /^This is an? (\S+) (?:picture|picture or a video); films/,
    "Das ist ein $1-Bild; Aufnahmen sind JPEG, PNG oder DICOM",
  ],
  [/^This is a (?:Windows )?program; films/, "Das ist ein Programm; Aufnahmen sind JPEG, PNG oder DICOM"],
  [/^This is an? (\S+) archive; films/, "Das ist ein $1-Archiv; Aufnahmen sind JPEG, PNG oder DICOM"],
  [/^This is a web page; films/, "Das ist eine Webseite; Aufnahmen sind JPEG, PNG oder DICOM"],
  [/^This is an? (\S+) file; films/, "Das ist eine $1-Datei; Aufnahmen sind JPEG, PNG oder DICOM"],
];

/**
 * A fault of a file in German, with the file's name before it where the program put it there; null for other messages.
 */
export function germanFileFault(message: string): string | null {
  const german = translated(message);
  if (german !== null) return german;
  const colon = message.indexOf(": ");
  const rest = colon < 0 ? null : translated(message.slice(colon + 2));
  return rest === null ? null : `${message.slice(0, colon)}: ${rest}`;
}

function translated(message: string): string | null {
  const found = germanFaults.find(([english]) => english.test(message));
  if (!found) return null;
  const german = message.replace(found[0], found[1]).replace(/(; Aufnahmen sind JPEG, PNG oder DICOM).*$/, "$1");
  return german.replace("the first element", "das erste Element").replace("element (", "Element (");
}
