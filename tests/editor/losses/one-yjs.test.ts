// T14: two copies of Yjs in one page. Each recognizes its own types by `instanceof`.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseBody } from 'weft-document/body/parse-body.ts';
import * as Y from 'yjs';
import { loss } from '../../support/editor/guarded.ts';
import { pageSeed } from '../../support/editor/page-seed.ts';

type Yjs = Pick<typeof Y, 'Doc' | 'applyUpdate'>;

/** The same package loaded a second time, as a second dependency would do. */
function secondYjs(): Yjs {
  const require = createRequire(import.meta.url);
  delete require.cache[require.resolve('yjs')];
  const second: unknown = require('yjs');
  if (!isYjs(second)) throw new Error('no second copy of Yjs');
  return second;
}

const isYjs = (value: unknown): value is Yjs =>
  typeof value === 'object' && value !== null && 'Doc' in value && 'applyUpdate' in value;

loss('T14', 'a document written with one Yjs is read with the same Yjs', {
  on: () => Y,
  off: secondYjs,
  scenario: (load: () => Yjs) => {
    const { Doc, applyUpdate } = load();
    const doc = new Doc();
    applyUpdate(doc, pageSeed('words'));
    return parseBody(doc).map(({ type }) => type);
  },
  kept: ['block'],
  lost: ['unknown'],
});

const root = join(import.meta.dirname, '../../..');

test('[T14] one Yjs is installed, and one is built into the app', () => {
  const lock: unknown = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const packages = typeof lock === 'object' && lock !== null && 'packages' in lock ? lock.packages : null;
  const paths = Object.keys(packages ?? {});
  expect(paths.filter((path) => path.endsWith('node_modules/yjs'))).toEqual(['node_modules/yjs']);
  expect(readFileSync(join(root, 'vite.config.ts'), 'utf8')).toMatch(/dedupe: \[[^\]]*'yjs'/);
});
