// The text of a comment comes from others: it is drawn as React elements, whatever it says.
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { CommentText } from '../../../src/features/comments/thread/comment-text.tsx';
import type { CommentRun } from '../../../src/protocol/comments.ts';
import { bob } from '../../support/app/app-fixture.ts';

afterEach(cleanup);

const drawn = (...runs: readonly CommentRun[]) => {
  const { container } = render(<CommentText body={[{ kind: 'paragraph', runs: [...runs] }]} />);
  return container;
};

test('HTML and Markdown in a comment stay text', () => {
  const text = '<img src=x onerror=alert(1)> **bold** [x](javascript:alert(1)) &lt;b&gt;';
  const container = drawn({ text });
  expect(container.textContent).toBe(text);
  expect(container.querySelector('img, a, b, strong, script')).toBeNull();
});

test('only addresses that may be linked to become links', () => {
  for (const link of ['javascript:alert(1)', ' \u0001javascript:alert(1)', 'data:text/html,x', 'vbscript:x', '']) {
    expect(drawn({ text: 'here', link }).querySelector('a')).toBeNull();
    cleanup();
  }
  const a = drawn({ text: 'here', link: 'https://weft.example/a?b=c' }).querySelector('a');
  expect([a?.getAttribute('href'), a?.rel, a?.target]).toEqual([
    'https://weft.example/a?b=c',
    'noopener noreferrer nofollow',
    '_blank',
  ]);
});

test('bold, italic, code and mentions are drawn, also together', () => {
  const container = drawn(
    { text: 'a', bold: true, italic: true },
    { text: 'b', code: true },
    { text: '@Bob', mention: bob.id },
  );
  expect(container.innerHTML).toContain(
    '<strong><em>a</em></strong><code>b</code><span class="comment-mention">@Bob</span>',
  );
});

test('lines of a list stand in one list', () => {
  const line = (kind: 'paragraph' | 'bullet' | 'numbered', text: string) => ({ kind, runs: [{ text }] });
  const { container } = render(
    <CommentText
      body={[
        line('paragraph', 'p'),
        line('bullet', 'a'),
        line('bullet', 'b'),
        line('numbered', '1'),
        line('paragraph', 'q'),
      ]}
    />,
  );
  const shape = Array.from(
    container.firstElementChild?.children ?? [],
    (one) => `${one.tagName}${one.children.length}`,
  );
  expect(shape).toEqual(['P0', 'UL2', 'OL1', 'P0']);
});
