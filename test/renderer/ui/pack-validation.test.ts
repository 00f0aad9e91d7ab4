import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, expect, it, vi } from "vitest";

const release = { publisher: "Example Ltd", releasedBy: "Dr. Jane Doe" };

afterEach(() => vi.unstubAllGlobals());

it.each([
  ["en", "Not clinically validated", "Clinically validated, released by Dr. Jane Doe (Example Ltd)"],
  ["de", "Nicht klinisch validiert", "Klinisch validiert, freigegeben von Dr. Jane Doe (Example Ltd)"],
  ["fr", "Non validé cliniquement", "Validé cliniquement, publié sous la responsabilité de Dr. Jane Doe (Example Ltd)"],
])("shows in %s who released the active pack, or that it is not validated", async (language, not, released) => {
  vi.stubGlobal("navigator", { language });
  vi.resetModules();
  const { PackValidation } = await import("../../../renderer/ui/pack-validation.tsx");
  const drawn = [{ release: null }, { release }].map((health) =>
    renderToStaticMarkup(createElement(PackValidation, health)),
  );
  expect(drawn).toEqual([`<span class="tier review">${not}</span>`, `<span>${released}</span>`]);
});
