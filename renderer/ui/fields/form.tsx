import type { ComponentProps } from "react";

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
