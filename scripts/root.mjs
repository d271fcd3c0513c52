// The folder of the checkout, and printing to standard error, because standard output belongs to the command's result.
import process from 'node:process';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** @param {string} text */
export const printToStderr = (text) => process.stderr.write(`${text}\n`);
