// A form that checks its fields itself: each shows what is wrong below it (TextField), and the first wrong one gets the
// focus. The browser's own bubbles speak its language, cover what is below, and are gone after some seconds.
import type { ComponentProps } from 'react';

type FormProps = Omit<ComponentProps<'form'>, 'noValidate' | 'onSubmit'> & {
  /** Called when every field is right. */
  readonly onSend: (form: FormData) => void;
};

export function Form({ onSend, ...props }: FormProps) {
  return (
    <form
      {...props}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        if (form.checkValidity()) onSend(new FormData(form));
        else form.querySelector<HTMLElement>('input:invalid')?.focus();
      }}
    />
  );
}
