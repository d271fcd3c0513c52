// Where the embedded backend's mails go: kept in memory, shown at /__mail, never sent anywhere.
export type Mail = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** ISO 8601. */
  readonly sentAt: string;
};

const KEPT_MAILS = 200;

export class Mailbox {
  #mails: readonly Mail[] = [];

  /** Newest first. */
  get mails(): readonly Mail[] {
    return this.#mails;
  }

  add(mail: Omit<Mail, 'sentAt'>): void {
    this.#mails = [{ ...mail, sentAt: new Date().toISOString() }, ...this.#mails].slice(0, KEPT_MAILS);
  }
}
