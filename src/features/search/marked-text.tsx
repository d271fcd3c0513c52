// A text in which the words of a search are marked. The marks are offsets, so nothing of the text is ever read as HTML.
import { Fragment } from 'react';
import type { MarkedText as Marked } from '../../protocol/search-answers.ts';

export function TextWithMarks({ text, marks }: Marked) {
  return (
    <>
      {marks.map(([from, to], nth) => (
        <Fragment key={from}>
          {text.slice(marks[nth - 1]?.[1] ?? 0, from)}
          <mark>{text.slice(from, to)}</mark>
        </Fragment>
      ))}
      {text.slice(marks.at(-1)?.[1] ?? 0)}
    </>
  );
}
