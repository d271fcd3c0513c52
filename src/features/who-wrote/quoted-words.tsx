// The words that someone selected, in a dialog about them.
import './who-wrote.css';

const MAX_LENGTH = 240;

export function QuotedWords({ words }: { readonly words: string }) {
  return (
    <blockquote className="quoted-words" dir="auto">
      {words.length > MAX_LENGTH ? `${words.slice(0, MAX_LENGTH).trimEnd()} …` : words}
    </blockquote>
  );
}
