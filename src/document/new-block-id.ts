// Makes block ids: 60 random bits, unique within a document. They are short because every id is stored in the log.

const ALPHABET = '0123456789abcdefghijklmnopqrstuv';

export function newBlockId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => ALPHABET[byte & 31]).join('');
}
