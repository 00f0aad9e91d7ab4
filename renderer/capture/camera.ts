export type Camera = { readonly deviceId: string; readonly label: string };

export type Trouble = "denied" | "inUse" | "noCamera";

const idealWidthPx = 1920;
const frameQuality = 0.92;

export async function listCameras(): Promise<Camera[]> {
  const devices = await navigator.mediaDevices.enumerateDevices();
  return devices.filter(({ kind }) => kind === "videoinput").map(({ deviceId, label }) => ({ deviceId, label }));
}

/** Opens a camera; by default the one that faces away from the user. */
export function openCamera(deviceId: string): Promise<MediaStream> {
  const constraints = deviceId ? { deviceId: { exact: deviceId } } : { facingMode: "environment" };
  return navigator.mediaDevices.getUserMedia({
    video: { ...constraints, width: { ideal: idealWidthPx } },
    audio: false,
  });
}

export function troubleOf(error: unknown): Trouble {
  const name = error instanceof DOMException ? error.name : "";
  if (name === "NotAllowedError") return "denied";
  // On Windows, only one program at a time can use a camera.
  return name === "NotReadableError" || name === "AbortError" ? "inUse" : "noCamera";
}

export function closeCamera(stream: MediaStream | null): void {
  for (const track of stream?.getTracks() ?? []) track.stop();
}

/** @returns a JPEG scaled down to `longestPx`; null while the video has no picture */
export async function frameOf(video: HTMLVideoElement, longestPx: number): Promise<Blob | null> {
  const { videoWidth, videoHeight } = video;
  if (videoWidth === 0) return null;
  const scale = Math.min(1, longestPx / Math.max(videoWidth, videoHeight));
  const canvas = new OffscreenCanvas(Math.round(videoWidth * scale), Math.round(videoHeight * scale));
  canvas.getContext("2d")?.drawImage(video, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type: "image/jpeg", quality: frameQuality });
}
