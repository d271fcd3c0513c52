// What is left of a copy that fails.
import { atom, createStore } from 'jotai/vanilla';
import { expect, test, vi } from 'vitest';
import * as Y from 'yjs';
import { duplicatePage } from '../../../src/features/import-export/duplicate-page.ts';
import { ok } from '../../../src/lib/result.ts';
import type { DocumentSummary } from '../../../src/protocol/answers.ts';
import type { PersonState } from '../../../src/state/person/person-state.ts';
import type { OpenWorkspace } from '../../../src/state/workspace/open-workspace.ts';

test('a copy that can’t be filled goes to the trash', async () => {
  const doc = new Y.Doc();
  vi.spyOn(doc, 'transact').mockImplementation(() => {
    throw new Error('no memory');
  });
  const page = { sessionAtom: atom({ doc }), phaseAtom: atom('ready'), files: {} };
  const person = { store: createStore(), pages: { acquire: () => ({ value: page, release() {} }) } };
  const calls: unknown[] = [];
  const copy = await duplicatePage(
    { of: 'markdown', text: 'Words' },
    { parent: null, after: null },
    person as unknown as Pick<PersonState, 'pages' | 'store'>,
    {
      async createPage(_place, id) {
        calls.push(['create', id]);
        return ok({ id } as DocumentSummary);
      },
      trashPage(id) {
        calls.push(['trash', id]);
        return {} as ReturnType<OpenWorkspace['trashPage']>;
      },
    },
  );
  expect(copy).toEqual({ ok: false, why: 'The copy couldn’t be filled.' });
  expect(calls).toEqual([
    ['create', expect.anything()],
    ['trash', (calls[0] as readonly unknown[])[1]],
  ]);
});
