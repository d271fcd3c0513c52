// Ids of blocks: unique in one document, short because each stands in the log. 60 random bits.

const ALPHABET = '0123456789abcdefghijklmnopqrstuv';

export function newBlockId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => ALPHABET[byte & 31]).join('');
}
