// The grey block in React views. Renders the same elements as `grey-block.ts`.
import { useState } from 'react';
import type { GreyBlockContent } from './grey-block.ts';
import { shownParts } from './grey-block-text.ts';

export function StaticGreyBlock({ note, text, onDelete }: GreyBlockContent) {
  const [parts, setParts] = useState(1);
  const { shown, left } = shownParts(text, parts);
  return (
    <div className="grey-block">
      <div className="grey-block-head">
        <span className="grey-block-note" role="note">
          {note}
        </span>
        {onDelete !== null && (
          <button type="button" className="grey-block-button" onClick={onDelete}>
            Delete
          </button>
        )}
      </div>
      {text !== '' && (
        <pre className="grey-block-text" dir="auto">
          {shown}
        </pre>
      )}
      {left > 0 && (
        <button type="button" className="grey-block-button" onClick={() => setParts(parts + 1)}>
          Show more
        </button>
      )}
    </div>
  );
}
