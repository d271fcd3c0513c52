// The words that someone selected, or the beginning of long ones, in a dialog about them.
import { cutText } from '../../lib/text/cut-text.ts';
import './who-wrote.css';

const MAX_LENGTH = 240;

export function QuotedWords({ words }: { readonly words: string }) {
  return (
    <blockquote className="quoted-words" dir="auto">
      {words.length > MAX_LENGTH ? `${cutText(words, MAX_LENGTH).trimEnd()} …` : words}
    </blockquote>
  );
}
