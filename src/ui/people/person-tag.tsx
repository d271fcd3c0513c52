// People in small: a tag with initials, a row of ticks. Names always go with colour.

type TagProps = {
  readonly name: string;
  readonly color: string | null;
  readonly size?: 'small' | 'normal' | 'large';
  readonly isReading?: boolean;
};

/** The name is its title; a list around it says it to those who do not see it. Initials are a drawing, no words to call it by. */
export function PersonTag({ name, color, size = 'normal', isReading = false }: TagProps) {
  return (
    <span
      className="tag"
      data-dye={color ?? undefined}
      data-size={size}
      data-reading={isReading || undefined}
      title={name}
      data-initials={initialsOf(name)}
      aria-hidden="true"
    />
  );
}

export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/u).filter(Boolean);
  const first = Array.from(words[0] ?? '?');
  const letters = words.length > 1 ? [first[0], Array.from(words.at(-1) ?? '')[0]] : first.slice(0, 2);
  return letters.join('').toLocaleUpperCase();
}
