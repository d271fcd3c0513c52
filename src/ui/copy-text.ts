// Copies text, also where the clipboard API is missing: plain http on another machine than this one.

/** True when the text is on the clipboard; `field` holds the same text. */
export async function copyText(text: string, field: HTMLInputElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // refused, or not there at all without a secure context
  }
  if (field === null) return false;
  field.focus();
  field.select();
  return document.execCommand('copy');
}
