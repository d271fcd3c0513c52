// Buttons: with words, with an icon alone.
import type { ComponentProps } from 'react';

/** One `main` per screen; `stop` takes something away; `danger` also throws something away. */
export type ButtonLook = 'primary' | 'outline' | 'plain' | 'plain-danger' | 'danger';

type ButtonProps = ComponentProps<'button'> & {
  readonly look?: ButtonLook;
  readonly size?: 'small' | 'normal' | 'wide';
};

export function Button({ look = 'outline', size = 'normal', type = 'button', className = '', ...props }: ButtonProps) {
  return <button {...props} type={type} className={`btn ${className}`} data-look={look} data-size={size} />;
}

type IconButtonProps = ComponentProps<'button'> & { readonly label: string };

/** `label` is its accessible name: the icon says nothing to those who do not see it. */
export function IconButton({ label, type = 'button', className = '', ...props }: IconButtonProps) {
  return <button {...props} type={type} className={`icon-btn ${className}`} aria-label={label} title={label} />;
}
