import { useRef, type ComponentProps } from "react";
import { Button } from "../button.tsx";

export function FileButton({
  label,
  accept,
  onChoose,
  ...button
}: Omit<ComponentProps<typeof Button>, "onClick"> & {
  readonly label: string;
  readonly accept: string;
  readonly onChoose: (file: File) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button {...button} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        aria-label={label}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = "";
          if (file) onChoose(file);
        }}
      />
    </>
  );
}
