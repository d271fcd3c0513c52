import { expect, test } from 'vitest';
import { onTextChange, storeText } from '../../../src/ui/browser/stored-texts.ts';

test('only texts whose name begins with the prefix are reported, of this tab and of others', () => {
  let calls = 0;
  const stop = onTextChange('weft-a:', () => calls++);
  storeText('weft-b:1', 'other');
  dispatchEvent(new StorageEvent('storage', { key: 'weft-b:1' }));
  expect(calls).toBe(0);
  storeText('weft-a:1', 'text');
  dispatchEvent(new StorageEvent('storage', { key: 'weft-a:1' }));
  // Another tab cleared everything.
  dispatchEvent(new StorageEvent('storage', { key: null }));
  expect(calls).toBe(3);
  stop();
  storeText('weft-a:1', null);
  storeText('weft-b:1', null);
  expect(calls).toBe(3);
});
