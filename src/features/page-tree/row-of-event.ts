// The row, and the button in it, on which an event happened.
import { type DocumentId, parseDocumentId } from 'weft-sync/protocol/ids.ts';

type TargetedEvent = { readonly target: EventTarget };

/** Null outside of the rows' links. */
export const rowOfEvent = (event: TargetedEvent): DocumentId | null => closestData(event, '[data-row]').row;

/** The button's action and its page; null if no button was hit. */
export function buttonOfEvent(event: TargetedEvent): { readonly act: string | null; readonly page: DocumentId | null } {
  const { act, page } = closestData(event, '[data-act]');
  return { act, page };
}

function closestData(event: TargetedEvent, selector: string) {
  const element = event.target instanceof Element ? event.target.closest<HTMLElement>(selector) : null;
  const { act = null, page = '', row = '' } = element?.dataset ?? {};
  return { act, page: parseDocumentId(page), row: parseDocumentId(row) };
}
