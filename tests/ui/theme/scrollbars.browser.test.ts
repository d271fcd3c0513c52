import { expect, onTestFinished, test } from 'vitest';
import '../../../src/ui/theme/tokens.css';
import '../../../src/ui/theme/base.css';

test.each(['light', 'dark'])('scrollbars have the colors of the theme (%s)', (theme) => {
  const { documentElement: root } = document;
  root.dataset['theme'] = theme;
  const box = document.body.appendChild(document.createElement('div'));
  onTestFinished(() => {
    delete root.dataset['theme'];
    box.remove();
  });
  // Anything that scrolls inherits them.
  box.style.color = 'var(--line-3)';
  const { scrollbarColor, color } = getComputedStyle(box);
  expect(scrollbarColor).toBe(`${color} rgba(0, 0, 0, 0)`);
});
