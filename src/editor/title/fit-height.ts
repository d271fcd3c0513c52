// Keeps a text area as high as its text, for browsers without `field-sizing`.
import type { Cancel } from '../../lib/cancel.ts';

/** Call it after the text was changed by code. */
export function fitHeight(field: HTMLTextAreaElement): void {
  if (CSS.supports('field-sizing', 'content')) return;
  field.style.height = 'auto';
  field.style.height = `${field.scrollHeight}px`;
}

/** Fits also when the lines break elsewhere: in another width, or with the typeface that has loaded. */
export function followWidth(field: HTMLTextAreaElement): Cancel {
  if (CSS.supports('field-sizing', 'content')) return () => {};
  let width = field.clientWidth;
  const observer = new ResizeObserver(() => {
    // Only the height changed, which `fitHeight` does.
    if (field.clientWidth === width) return;
    width = field.clientWidth;
    fitHeight(field);
  });
  observer.observe(field);
  const onFonts = () => fitHeight(field);
  document.fonts.addEventListener('loadingdone', onFonts);
  return () => {
    observer.disconnect();
    document.fonts.removeEventListener('loadingdone', onFonts);
  };
}
