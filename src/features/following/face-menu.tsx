// The menu of a person's tag in the bar: their name, their activity here, and `Follow`.
import Eye from 'lucide-react/icons/eye';
import EyeOff from 'lucide-react/icons/eye-off';
import { MenuItem, MenuLabel } from '../../ui/floating/menu.tsx';

type FaceMenuProps = {
  readonly name: string;
  /** Their activity, in words. */
  readonly doing: string;
  readonly isFollowed: boolean;
  /** Null for someone whom the database does not name, and while this person presents. */
  readonly onFollow: (() => void) | null;
  readonly onStop: () => void;
};

export function FaceMenu({ name, doing, isFollowed, onFollow, onStop }: FaceMenuProps) {
  return (
    <>
      <MenuLabel>
        <b>
          <bdi>{name}</bdi>
        </b>
        <br />
        {doing}
      </MenuLabel>
      {isFollowed ? (
        <MenuItem icon={<EyeOff className="icon" />} onSelect={onStop}>
          Stop following
        </MenuItem>
      ) : (
        onFollow !== null && (
          <MenuItem icon={<Eye className="icon" />} onSelect={onFollow}>
            Follow
            <kbd className="menu-keys" aria-hidden>
              F
            </kbd>
          </MenuItem>
        )
      )}
    </>
  );
}
