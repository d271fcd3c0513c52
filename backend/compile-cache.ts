// What Node made of our files at the last start, kept beside the packages: half of a start is reading and compiling. Where
// nothing can be written there, it is made anew each time.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/** For modules that this thread loads from now on. */
export function keepCompiled(): void {
  enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/weft'));
}
