// Keeps the newest emails of the embedded backend in memory for the page /__mail; it sends none.
export type Mail = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** ISO 8601. */
  readonly sentAt: string;
};

const MAX_MAILS = 200;

export class Mailbox {
  #mails: readonly Mail[] = [];

  /** Newest first. */
  get mails(): readonly Mail[] {
    return this.#mails;
  }

  add(mail: Omit<Mail, 'sentAt'>): void {
    this.#mails = [{ ...mail, sentAt: new Date().toISOString() }, ...this.#mails].slice(0, MAX_MAILS);
  }
}
