// The people who lose access, by name; if they are many, the first few and the number of the others.
import { counted } from '../../lib/text/counted.ts';

const NAMED = 3;

/** Names are null while they load; those count as others. */
export function LosersText({ names }: { readonly names: readonly (string | null)[] }) {
  if (names.length === 0) return 'No one loses access.';
  const shown = names.filter((name) => name !== null).slice(0, NAMED);
  const rest = names.length - shown.length;
  const isOne = names.length === 1;
  if (shown.length === 0) return isOne ? '1 person loses access at once.' : `${rest} people lose access at once.`;
  const before = (at: number) => {
    if (at === 0) return '';
    return at === shown.length - 1 && rest === 0 ? ' and ' : ', ';
  };
  return (
    <>
      {shown.map((name, at) => (
        <span key={`${at}${name}`}>
          {before(at)}
          <bdi>{name}</bdi>
        </span>
      ))}
      {rest > 0 && ` and ${counted(rest, 'other')}`} {isOne ? 'loses' : 'lose'} access at once.
    </>
  );
}
