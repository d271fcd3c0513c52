// A person as a square tag with their picture or initials. Color never stands alone: the name goes with it.
import { usePictureUrl } from './picture-source.ts';

type TagProps = {
  readonly name: string;
  readonly color: string | null;
  /** The path in their profile. */
  readonly picture?: string | null | undefined;
  readonly size?: 'small' | 'normal' | 'large';
  readonly isReading?: boolean;
  /** The user of the app follows this person: a ring shows it. */
  readonly isFollowed?: boolean;
};

/**
 * Hidden from assistive technology: the text beside the tag also has the name. CSS draws the initials, so that they are
 * not part of any accessible name.
 */
export function PersonTag(props: TagProps) {
  const { name, color, picture = null, size = 'normal', isReading = false, isFollowed = false } = props;
  const url = usePictureUrl(picture);
  return (
    <span
      className="tag"
      data-dye={color ?? undefined}
      data-size={size}
      data-reading={isReading || undefined}
      data-followed={isFollowed || undefined}
      title={name}
      data-initials={url === null ? initialsOf(name) : undefined}
      aria-hidden="true"
    >
      {url !== null && <img src={url} alt="" draggable={false} />}
    </span>
  );
}

export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/u).filter(Boolean);
  const first = Array.from(words[0] ?? '?');
  const letters = words.length > 1 ? [first[0], Array.from(words.at(-1) ?? '')[0]] : first.slice(0, 2);
  return letters.join('').toLocaleUpperCase();
}
