// Writes a .br and a .gz beside the larger text files of a build, so that the server sends compressed files without
// compressing.
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';

const TEXT_FILE = /\.(?:css|html|js|json|map|svg|txt|webmanifest)$/;
/** Below this size, compression saves less than a network packet. */
const MIN_BYTES = 1024;

/** @param {string} folder */
export async function compressFiles(folder) {
  const names = await readdir(folder, { recursive: true });
  await Promise.all(names.filter((name) => TEXT_FILE.test(name)).map((name) => compress(join(folder, name))));
}

/** @param {string} file */
async function compress(file) {
  const bytes = await readFile(file);
  if (bytes.length < MIN_BYTES) return;
  await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes));
  await writeFile(`${file}.gz`, await promisify(gzip)(bytes));
}
