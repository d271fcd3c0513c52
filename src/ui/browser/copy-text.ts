// Copies text, also where the clipboard API is missing: plain http on another machine than this one.

/** True when the text is on the clipboard; `field` holds the same text, null where none is shown. */
export async function copyText(text: string, field: HTMLInputElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // refused, or not there at all without a secure context
  }
  if (field === null) return copyFromOwnField(text);
  field.focus();
  field.select();
  return document.execCommand('copy');
}

/** Only what is selected can be copied the old way. */
function copyFromOwnField(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.setAttribute('aria-hidden', 'true');
  // In sight as far as the browser is concerned, which scrolls to nothing and copies nothing that is hidden.
  Object.assign(field.style, { position: 'fixed', inset: '0 auto auto 0', opacity: '0' });
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return isCopied;
}
