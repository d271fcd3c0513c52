// The profile and the theme, in the popover of the account button.
import type { Profile } from '../../protocol/answers.ts';
import { ProfileForm } from './profile/profile-form.tsx';
import { ThemePicker } from './profile/theme-picker.tsx';

type AccountDetailsProps = { readonly profile: Profile | undefined; readonly name: string };

export const AccountDetails = ({ profile, name }: AccountDetailsProps) => (
  <>
    {profile === undefined ? <p className="secondary">{name}</p> : <ProfileForm profile={profile} />}
    <ThemePicker />
  </>
);
