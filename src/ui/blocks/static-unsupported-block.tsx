// The unsupported block in React views. Renders the same elements as `unsupported-block.ts`.
import { useState } from 'react';
import { shownParts } from './unsupported-block-text.ts';
import type { UnsupportedBlockContent } from './unsupported-block.ts';

export function StaticUnsupportedBlock({ note, text, onDelete }: UnsupportedBlockContent) {
  const [parts, setParts] = useState(1);
  const { shown, left } = shownParts(text, parts);
  return (
    <div className="unsupported-block">
      <div className="unsupported-block-head">
        <span className="unsupported-block-note" role="note">
          {note}
        </span>
        {onDelete !== null && (
          <button type="button" className="unsupported-block-button" onClick={onDelete}>
            Delete
          </button>
        )}
      </div>
      {text !== '' && (
        <pre className="unsupported-block-text" dir="auto">
          {shown}
        </pre>
      )}
      {left > 0 && (
        <button type="button" className="unsupported-block-button" onClick={() => setParts(parts + 1)}>
          Show more
        </button>
      )}
    </div>
  );
}
