// People in small: a tag with initials, a row of ticks. Names always go with colour.

type TagProps = {
  readonly name: string;
  readonly dye: string | null;
  readonly size?: 'small' | 'normal' | 'large';
  readonly isReading?: boolean;
};

/** The name is its title; a list around it says it to those who do not see it. Initials are a drawing, no words to call it by. */
export function PersonTag({ name, dye, size = 'normal', isReading = false }: TagProps) {
  return (
    <span
      className="tag"
      data-dye={dye ?? undefined}
      data-size={size}
      data-reading={isReading || undefined}
      title={name}
      data-initials={initials(name)}
      aria-hidden="true"
    />
  );
}

export function initials(name: string): string {
  const words = name.trim().split(/\s+/u).filter(Boolean);
  const first = Array.from(words[0] ?? '?');
  const letters = words.length > 1 ? [first[0], Array.from(words.at(-1) ?? '')[0]] : first.slice(0, 2);
  return letters.join('').toLocaleUpperCase();
}

const MOST_TICKS = 4;

export type Tick = { readonly id: string; readonly name: string; readonly dye: string };

export function Ticks({ people }: { readonly people: readonly Tick[] }) {
  if (people.length === 0) return null;
  const shown = people.length > MOST_TICKS ? people.slice(0, MOST_TICKS - 1) : people;
  const label = `Here now: ${people.map(({ name }) => name).join(', ')}`;
  return (
    <span className="ticks" role="img" aria-label={label} title={label}>
      {shown.map(({ id, dye }) => (
        <i key={id} data-dye={dye} />
      ))}
      {people.length > shown.length && `+${people.length - shown.length}`}
    </span>
  );
}
