// The folder of the checkout, and a way to print without touching standard output.
import process from 'node:process';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** @param {string} text */
export const say = (text) => process.stderr.write(`${text}\n`);
