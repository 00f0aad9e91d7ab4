import type { Page } from "playwright-core";
import type { DesktopResponse } from "../../../../core/contract/desktop.ts";
import { openFilms } from "../../actions.ts";
import { fakeCamera } from "../../fake-camera.ts";
import { answer, ask, fixture, phantom } from "../../program.ts";
import type { Camera } from "../camera.ts";
import { withProgram } from "./with-program.ts";

export async function roomOfNetwork(camera: Camera): Promise<void> {
  const screen = await fakeCamera([1, 2, 3].map((number) => fixture(`session/frame-${number}.jpg`)));
  await withProgram(camera, { browser: screen, permissions: ["camera"] }, async (page) => {
    await openFilms(page, [phantom("dog-01.jpg")]);
    await openFromMenu(page, "Search a PACS…");
    await camera.take(page, "network-no-archive");
    await page.keyboard.press("Escape");
    const node = { host: "127.0.0.1", port: 4242, aeTitle: "PACS", offersWorklist: true };
    await ask(page, "dicom.saveNode", { nodeId: null, name: "Archive", ...node });
    await answer(page, "pacs.find", foundStudies);
    await openFromMenu(page, "Search a PACS…");
    await page.getByRole("dialog").getByLabel("Animal or owner").fill("emma");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Fetch" }).first().waitFor();
    await camera.take(page, "network-archive");
    await page.keyboard.press("Escape");
    await answer(page, "orders.find", foundOrders);
    await openFromMenu(page, "Choose from the practice’s worklist…");
    await page.getByRole("dialog").getByLabel("Animal or owner").fill("nala");
    await page.keyboard.press("Enter");
    await page.getByText("A-2026-9").waitFor();
    await camera.take(page, "network-orders");
    await page.getByRole("dialog").getByRole("button", { name: "Choose as dog" }).first().click();
    await page.getByText("The next image is for Nala").waitFor();
    await camera.take(page, "network-next-order");
    await openFromMenu(page, /key films/i);
    await page.getByRole("dialog").waitFor();
    await camera.take(page, "network-key-films-none");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("Alt+4");
    await page.getByTestId("outline").waitFor();
    await camera.take(page, "network-capture");
  });
}

async function openFromMenu(page: Page, entry: string | RegExp): Promise<void> {
  await page.getByRole("button", { name: "Open films" }).click();
  await page.getByRole("menuitem", { name: entry }).click();
}

const foundStudies: DesktopResponse<"pacs.find"> = {
  studies: ["2026-11-20", "2026-05-04", "2025-12-01"].map((day, index) => ({
    studyInstanceUid: `1.2.276.90.${index}`,
    patientName: "Berg Emma",
    responsiblePerson: "Berg Ida",
    patientId: "P-90",
    day,
    modalities: ["DX"],
    description: "Thorax left lateral and ventrodorsal",
    accessionNumber: `A-2026-${index}`,
    objects: 3,
  })),
  isCutOff: true,
  failure: null,
};

const foundOrders: DesktopResponse<"orders.find"> = {
  orders: [
    {
      ...{ studyInstanceUid: "1.2.276.99.1", accessionNumber: "A-2026-9", procedureId: "R-9", procedure: "Thorax" },
      ...{ stepId: "S-9", step: "Thorax left lateral", station: "XRAY1", modality: "DX", day: "2026-11-22" },
      ...{ time: "10:30", referrer: "Dr Weiss" },
      patient: {
        ...{ number: "P-901", issuer: null, fullName: "Sommer^Nala", name: "Nala", owner: "Sommer", species: null },
        ...{ breed: "", sex: "female", isNeutered: null, birthDate: "2019-03-04" },
      },
    },
  ],
  isCutOff: false,
  failure: null,
};
