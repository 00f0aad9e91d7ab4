import type { ComponentProps } from "react";

/** Form with a submit handler; Enter in a one-line field submits it. */
export function Form({
  onSubmit,
  ...form
}: Omit<ComponentProps<"form">, "onSubmit"> & { readonly onSubmit: (form: HTMLFormElement) => void }) {
  return (
    <form
      noValidate
      {...form}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(event.currentTarget);
      }}
    />
  );
}
