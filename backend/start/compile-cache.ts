// Keeps Node's compiled code in node_modules/.cache: reading and compiling takes half of a start. Without write access
// there, Node compiles anew each time.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/** Takes effect for modules that this thread loads from now on. */
export function keepCompiled(): void {
  enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/weft'));
}
