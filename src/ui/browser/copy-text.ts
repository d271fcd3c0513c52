// Copies text to the clipboard, also over plain http from another machine, where the browser has no clipboard API.

/** Returns true when the text is on the clipboard. `field` shows the same text; null when no field shows it. */
export async function copyText(text: string, field: HTMLInputElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // The browser refused, or has no clipboard API because the context is not secure.
  }
  if (field === null) return copyFromTemporaryField(text);
  field.focus();
  field.select();
  return document.execCommand('copy');
}

/** `execCommand('copy')` copies only what is selected. */
function copyFromTemporaryField(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.setAttribute('aria-hidden', 'true');
  // Transparent and fixed: browsers do not copy from hidden fields, and would scroll to one outside the viewport.
  Object.assign(field.style, { position: 'fixed', inset: '0 auto auto 0', opacity: '0' });
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return isCopied;
}
