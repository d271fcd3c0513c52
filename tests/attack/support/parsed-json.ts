// Notes which texts this process parses as JSON: what a backend refuses unread is not among them.
import { onTestFinished, vi } from 'vitest';

/** The texts since it was called, until the test ends. */
export function noteParsedJson(): readonly string[] {
  const texts: string[] = [];
  const { parse } = JSON;
  const spy = vi.spyOn(JSON, 'parse').mockImplementation((text, reviver) => {
    texts.push(text);
    return parse(text, reviver) as unknown;
  });
  onTestFinished(() => spy.mockRestore());
  return texts;
}
