import { languageCodes, languages, type Language } from "../../core/language/languages.ts";
import { useAnonymous } from "../state/anonymous.ts";
import { useChannel } from "../state/queries.ts";
import { useFilms, useOpenFilm } from "../state/films/films.ts";
import { useIsHidden, useReaderMode } from "../state/films/reader-mode.ts";
import { usePermission } from "../state/people.ts";
import { showSettings } from "../state/places/settings-tab.ts";
import { IconButton } from "../ui/button.tsx";
import { useFormat } from "../ui/language/format.ts";
import { useCommands, useKeys } from "../ui/keys/shortcuts.ts";
import { useLanguage, useText } from "../ui/language/language.ts";
import { Menu, type MenuEntry } from "../ui/menu.tsx";
import { useOverlay } from "../film/overlay-preferences.ts";
import { ReportProgress } from "./report-progress.tsx";
import { useReport, type Audience } from "./report-slice.ts";

const audiences: readonly Audience[] = ["veterinarian", "owner"];

export function ReportMenu() {
  const text = useText();
  const film = useOpenFilm();
  const isHidden = useIsHidden(film);
  const isReaderMode = useReaderMode(({ isOn }) => isOn);
  const hasReading = useFilms((state) => state.readings.length > 0) && !isHidden;
  const isOverlayShown = useOverlay().isShown;
  const copyKeys = useKeys("view.copy");
  const nodes = useChannel("dicom.nodes", {});
  const { save, send, mail, copyPicture } = useReport();
  const format = useFormat();
  const spoken = useLanguage((state) => state.language);
  const mayAdminister = usePermission("administer");
  const others = languageCodes.filter((code) => code !== spoken);
  useCommands(film?.hasImage ? { "view.copy": () => void copyPicture(film.id, hasReading && isOverlayShown) } : {});
  if (!film) return null;
  const isDisabled = !hasReading || !film.hasImage;
  const addNode: MenuEntry[] = mayAdminister
    ? [{ label: text("report.addNode"), onChoose: () => showSettings("dicom") }]
    : [];
  const date = format.day(film.takenAt);
  const subject = text("report.mailSubject", { name: film.patient?.name || film.fileName, date });
  const saveSheet = (audience: Audience, language: Language) =>
    void save("reports.handout", { filmId: film.id, language, audience, isReaderMode }, "report.makingHandout");
  const sheetsFor = (audience: Audience): MenuEntry[] => [
    {
      label: text(`report.handout_${audience}`),
      isDisabled,
      onChoose: () => saveSheet(audience, spoken),
    },
    {
      label: text(`report.mail_${audience}`),
      isDisabled,
      onChoose: () => void mail(audience, film.id, { subject, body: text(`report.mailBody_${audience}`, { date }) }),
    },
  ];
  const inOtherLanguages = audiences.flatMap((audience) =>
    others.map((code) => ({
      label: text(`report.handoutIn_${audience}`, { language: languages[code].name }),
      isDisabled,
      onChoose: () => saveSheet(audience, code),
    })),
  );
  const unread: MenuEntry[] =
    nodes.fault === null ? [] : [{ heading: nodes.fault }, { label: text("common.retry"), onChoose: nodes.reload }];
  const sendings: MenuEntry[] = (nodes.value?.nodes ?? []).map((node) => ({
    label: text("report.sendTo", { name: node.name }),
    isDisabled,
    onChoose: () => void send(film.id, node),
  }));
  return (
    <>
      <Menu
        entries={[
          { heading: text("deidentify.withNames") },
          ...audiences.flatMap(sheetsFor),
          { submenu: text("report.otherLanguages"), entries: inOtherLanguages },
          "line",
          ...([true, false] as const).map((hasMarks) => ({
            label: text(hasMarks ? "report.copyMarked" : "report.copyPlain"),
            isDisabled: hasMarks ? isDisabled : !film.hasImage,
            keys: hasMarks === (hasReading && isOverlayShown) ? copyKeys : undefined,
            onChoose: () => void copyPicture(film.id, hasMarks),
          })),
          {
            label: text("report.saveDicom"),
            isDisabled,
            onChoose: () => void save("reports.dicom", { filmId: film.id }, "report.makingDicom"),
          },
          ...(unread.length > 0 ? unread : sendings.length > 0 ? sendings : addNode),
          "line",
          { heading: text("deidentify.withoutNames") },
          {
            label: text("common.opensDialog", { label: text("deidentify.title") }),
            isDisabled: !film.hasImage,
            onChoose: () => useAnonymous.getState().ask([film.id]),
          },
        ]}
      >
        <IconButton icon="share" label={text("report.menu")} />
      </Menu>
      <ReportProgress />
    </>
  );
}
