// People as colored lines, for rows where a tag would take too much room.

const MAX_TICKS = 4;

export type PresenceTick = {
  readonly id: string;
  readonly name: string;
  readonly color: string;
  /** Drawn as a shorter line. */
  readonly isReading?: boolean;
};

export function PresenceTicks({ people }: { readonly people: readonly PresenceTick[] }) {
  if (people.length === 0) return null;
  const shown = people.length > MAX_TICKS ? people.slice(0, MAX_TICKS - 1) : people;
  const label = `Here now: ${people.map(({ name, isReading }) => (isReading === true ? `${name} (viewing)` : name)).join(', ')}`;
  return (
    <span className="ticks" role="img" aria-label={label} title={label}>
      {shown.map(({ id, color, isReading }) => (
        <i key={id} data-dye={color} data-reading={isReading === true || undefined} />
      ))}
      {people.length > shown.length && `+${people.length - shown.length}`}
    </span>
  );
}
