// What the import of several files does when one of them fails.
import { atom, createStore } from 'jotai/vanilla';
import { expect, test, vi } from 'vitest';
import * as Y from 'yjs';
import { importFiles } from '../../../src/features/import-export/import-files.ts';
import { ok } from '../../../src/lib/result.ts';
import type { DocumentSummary } from '../../../src/protocol/answers.ts';
import type { PersonState } from '../../../src/state/person/person-state.ts';

/** Pages that open at once; the first one throws when it is written. */
function failingFirst() {
  const docs = [new Y.Doc(), new Y.Doc()];
  vi.spyOn(docs[0]!, 'transact').mockImplementation(() => {
    throw new Error('no memory');
  });
  const release = vi.fn<() => void>();
  const person = {
    store: createStore(),
    pages: {
      acquire: () => ({
        value: { sessionAtom: atom({ doc: docs.shift() }), phaseAtom: atom('ready'), files: {} },
        release,
      }),
    },
  } as unknown as Pick<PersonState, 'pages' | 'store'>;
  return { person, release };
}

const importAll = (files: readonly File[], person: Pick<PersonState, 'pages' | 'store'>) =>
  importFiles(
    files,
    person,
    async (_place, id) => ok({ id } as DocumentSummary),
    async () => null,
  );

test('a page that can’t be filled is said, is closed, and does not keep the next files from being imported', async () => {
  const { person, release } = failingFirst();
  const files = ['a', 'b'].map((name) => new File([`Text of ${name}`], `${name}.txt`));
  const { imported, failed } = await importAll(files, person);
  expect(failed).toEqual([{ name: 'a.txt', why: 'its page couldn’t be filled' }]);
  expect(imported.map(({ title }) => title)).toEqual(['b']);
  expect(release).toHaveBeenCalledTimes(2);
});

test('a file that can’t be read any more is said', async () => {
  const file = new File(['x'], 'gone.txt');
  vi.spyOn(file, 'text').mockRejectedValue(new DOMException('', 'NotFoundError'));
  const { failed } = await importAll([file], failingFirst().person);
  expect(failed).toEqual([{ name: 'gone.txt', why: 'it couldn’t be read' }]);
});
