// Buttons with a label, and buttons with an icon only.
import type { ComponentProps } from 'react';

/**
 * `primary`: the main action of a screen, dialog or card. `danger`: one that takes something away; `plain-danger`: such
 * an action beside others.
 */
export type ButtonLook = 'primary' | 'outline' | 'plain' | 'plain-danger' | 'danger';

type ButtonProps = ComponentProps<'button'> & {
  readonly look?: ButtonLook;
  readonly size?: 'small' | 'normal' | 'wide';
};

export function Button({ look = 'outline', size = 'normal', type = 'button', className = '', ...props }: ButtonProps) {
  return <button {...props} type={type} className={`btn ${className}`} data-look={look} data-size={size} />;
}

type IconButtonProps = ComponentProps<'button'> & { readonly label: string };

/** `label` is the accessible name and the tooltip. */
export function IconButton({ label, type = 'button', className = '', ...props }: IconButtonProps) {
  return <button {...props} type={type} className={`icon-btn ${className}`} aria-label={label} title={label} />;
}
