// Chooses the emoji of a reaction: a few and the latest ones at once, all others by name.
import { useState } from 'react';
import { allEmoji, loadEmoji, recentEmoji } from '../../../editor/typed-menu/all-emoji.ts';
import { type EmojiName, findEmoji } from '../../../editor/typed-menu/find-emoji.ts';

const FIRST = ['👍', '❤️', '😄', '🎉', '👀', '✅'];
const MAX_RECENT = 6;

type Choice = { readonly emoji: string; readonly name: string };

export function EmojiPicker({ onChoose }: { readonly onChoose: (emoji: string) => void }) {
  const [query, setQuery] = useState('');
  const [all, setAll] = useState(allEmoji);
  const type = (text: string) => {
    setQuery(text);
    if (all === null) loadEmoji(() => setAll(allEmoji()));
  };
  const choose = (emoji: string) => {
    recentEmoji.add(emoji);
    onChoose(emoji);
  };
  const choices = query.trim() === '' ? firstChoices() : foundChoices(all ?? [], query.trim());
  return (
    <div className="emoji-picker">
      <input
        className="input"
        type="search"
        aria-label="Find an emoji"
        placeholder="Find an emoji"
        autoFocus
        value={query}
        onChange={(event) => type(event.target.value)}
        onKeyDown={(event) => {
          const [first] = choices;
          if (event.key === 'Enter' && query.trim() !== '' && first !== undefined) choose(first.emoji);
        }}
      />
      <div className="emoji-choices">
        {choices.map(({ emoji, name }) => (
          <button
            key={emoji}
            type="button"
            className="icon-btn"
            aria-label={name}
            title={name}
            onClick={() => choose(emoji)}
          >
            {emoji}
          </button>
        ))}
        {choices.length === 0 && <p>{all === null ? 'Loading…' : 'No matches'}</p>}
      </div>
    </div>
  );
}

const firstChoices = (): readonly Choice[] =>
  [...new Set([...FIRST, ...recentEmoji.get().slice(0, MAX_RECENT)])].map((emoji) => ({ emoji, name: emoji }));

const foundChoices = (all: readonly EmojiName[], query: string): readonly Choice[] =>
  findEmoji(all, query, recentEmoji.get()).map(({ emoji, description }) => ({ emoji, name: description }));
