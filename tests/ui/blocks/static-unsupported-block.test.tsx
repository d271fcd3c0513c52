import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { StaticUnsupportedBlock } from '../../../src/ui/blocks/static-unsupported-block.tsx';
import { createUnsupportedBlock } from '../../../src/ui/blocks/unsupported-block.ts';

afterEach(cleanup);

const shape = (root: Element | null) =>
  [...(root?.querySelectorAll('*') ?? [])]
    .filter((one) => !(one instanceof HTMLElement && one.hidden))
    .map((one) => `${one.localName}.${one.className}`);

test.each(['', 'short', 'x'.repeat(12_000)])(
  'it renders the same elements as the unsupported block of the editor',
  (text) => {
    const content = { note: 'Too large to draw.', text, onDelete: () => undefined };
    const { container } = render(<StaticUnsupportedBlock {...content} />);
    const { dom } = createUnsupportedBlock(content);
    expect(shape(container.firstElementChild)).toEqual(shape(dom));
    expect(container.textContent).toContain('Too large to draw.');
  },
);
