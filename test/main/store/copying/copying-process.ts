/** Copies a store and kills itself. Arguments: from, to, pages before the kill; a film's images count as a page. */
import { copyFilmImages } from "../../../../main/services/desktop/copy-film-images.ts";
import { copyStore } from "../../../../main/store/copying/copy-store.ts";
import { openSource, openTarget } from "../../../../main/commands/running/copied-stores.ts";

const [from = "", to = "", pages = "0"] = process.argv.slice(2);
let left = Number(pages);
const source = await openSource(from);
const target = await openTarget(to);
const onProgress = () => {
  left -= 1;
  if (left === 0) process.kill(process.pid, "SIGKILL");
};
const filmsOf = ({ db, place }: typeof target) => ({ db, dataDir: place });
const copyImages = async () =>
  void (await copyFilmImages(filmsOf({ ...target, ...source }), filmsOf(target), onProgress));
await copyStore({ source, target, copyImages, onProgress, pageRows: 5 });
await target.complete();
await target.close();
await source.close();
