// The events that the document state reports to the session.
export type DocumentEvent =
  /** An outbox that is shown can never be saved: nothing may be written on top of it. */
  | { readonly type: 'outboxRefused' }
  /** A recovered outbox is shown from now on, so it can be sent. */
  | { readonly type: 'recoveredOutboxShown' }
  /** HI3: the log is not the one that this tab holds, the document cannot be rebuilt, or another tab has begun another copy (HI6). */
  | { readonly type: 'mustStartAnew' }
  /** The document shows something else than the log says. */
  | { readonly type: 'logContradicted' }
  /** An entry is stored, or could not be. */
  | { readonly type: 'storeChanged' };

export type EmitDocumentEvent = (event: DocumentEvent) => void;
