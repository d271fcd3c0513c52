import { expect, onTestFinished, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { titleOf } from 'weft-document/names.ts';
import { bindTitle } from '../../../src/editor/title/bind-title.ts';
import { connect, pageSession } from '../../support/editor/page-session.ts';

function titleField(session: ReturnType<typeof pageSession>) {
  const field = document.body.appendChild(document.createElement('textarea'));
  const unbind = bindTitle(field, session.doc);
  onTestFinished(() => {
    unbind();
    field.remove();
  });
  return field;
}

function twoTitles(text: string) {
  const alice = pageSession();
  const bob = pageSession();
  const wire = connect(alice, bob);
  titleOf(alice.doc).insert(0, text);
  alice.localUpdates.length = 0;
  return { alice, bob, wire, field: titleField(alice), titleOfBob: titleOf(bob.doc) };
}

test('typing makes one small edit per character', async () => {
  const { alice, field } = twoTitles('Plan');
  field.focus();
  field.setSelectionRange(4, 4);
  await userEvent.keyboard(' B!');
  expect(titleOf(alice.doc).toString()).toBe('Plan B!');
  expect(alice.localUpdates.map((update) => update.length < 30)).toEqual([true, true, true]);
});

test('binding writes nothing', () => {
  const { alice } = twoTitles('Plan');
  expect(alice.localUpdates).toEqual([]);
});

test('the caret stays at its word while others type before it, and stays in front of what they type after it', () => {
  const { field, titleOfBob } = twoTitles('my plan');
  field.focus();
  field.setSelectionRange(3, 7);
  titleOfBob.insert(0, 'all ');
  expect([field.value, field.selectionStart, field.selectionEnd]).toEqual(['all my plan', 7, 11]);
  titleOfBob.insert(11, 's');
  expect([field.value, field.selectionStart, field.selectionEnd]).toEqual(['all my plans', 7, 11]);
});

test('two people who type in the title at once both keep their text', () => {
  const { alice, bob, field, wire, titleOfBob } = twoTitles('plan');
  wire.offline();
  field.value = 'my plan';
  field.dispatchEvent(new Event('input'));
  titleOfBob.insert(4, ' B');
  wire.online();
  expect(field.value).toBe('my plan B');
  expect(titleOf(bob.doc).toString()).toBe(titleOf(alice.doc).toString());
});

test('line breaks become spaces, and 200 characters are the limit', () => {
  const { alice, field } = twoTitles('');
  field.value = `a\nb\r\n\tc${'x'.repeat(300)}`;
  field.dispatchEvent(new Event('input'));
  expect(field.value).toBe(`a b c${'x'.repeat(195)}`);
  expect(titleOf(alice.doc).toString()).toBe(field.value);
});

test('a composition is not disturbed by others, and not sent before it ends', () => {
  const { alice, bob, field, titleOfBob } = twoTitles('ab');
  field.focus();
  field.dispatchEvent(new CompositionEvent('compositionstart'));
  field.value = 'akb';
  field.setSelectionRange(2, 2);
  field.dispatchEvent(new Event('input'));
  titleOfBob.insert(0, 'Z');
  expect(field.value).toBe('akb');
  expect(alice.localUpdates).toEqual([]);
  field.value = 'aかb';
  field.dispatchEvent(new Event('input'));
  field.dispatchEvent(new CompositionEvent('compositionend'));
  expect([field.value, titleOf(alice.doc).toString(), titleOf(bob.doc).toString()]).toEqual([
    'Zaかb',
    'Zaかb',
    'Zaかb',
  ]);
});

test('a composition that replaces text leaves alone what others inserted in it, and replaces all of the rest', () => {
  const { alice, bob, field, titleOfBob } = twoTitles('abcdef');
  field.focus();
  field.dispatchEvent(new CompositionEvent('compositionstart'));
  field.value = 'axf';
  titleOfBob.insert(3, 'Z');
  titleOfBob.insert(0, '1');
  field.dispatchEvent(new CompositionEvent('compositionend'));
  expect([field.value, titleOf(alice.doc).toString(), titleOf(bob.doc).toString()]).toEqual([
    '1axZf',
    '1axZf',
    '1axZf',
  ]);
});

test('replacing an emoji by one with the same first half keeps it whole', () => {
  const { alice, field } = twoTitles('a😀b');
  field.value = 'a😃b';
  field.dispatchEvent(new Event('input'));
  expect(titleOf(alice.doc).toString()).toBe('a😃b');
});
