// The person's picture: choose a file, or go back to initials.
import { type ChangeEvent, useRef, useState } from 'react';
import type { Profile } from '../../../protocol/answers.ts';
import { usePerson } from '../../../state/hooks.ts';
import { textOf } from '../../../texts/error-texts.ts';
import { FILE_TEXTS } from '../../../texts/file-texts.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { PersonTag } from '../../../ui/people/person-tag.tsx';

export function PictureField({ profile }: { readonly profile: Profile }) {
  const { ownAccount, makeAvatar, people } = usePerson();
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const changeButton = useRef<HTMLButtonElement>(null);
  const hasPicture = (profile.avatarPath ?? null) !== null;

  const set = async (file: File | null) => {
    setBusy(true);
    setProblem(null);
    const picture = file === null ? null : await makeAvatar(file);
    if (file !== null && picture === null) {
      setBusy(false);
      return setProblem(FILE_TEXTS.noPicture);
    }
    const answer = await ownAccount.setPicture(profile, picture);
    setBusy(false);
    if (answer.ok) people.put(answer.value);
    else setProblem(textOf(answer.error));
  };
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.currentTarget.files?.[0];
    // Choosing the same file again is a change too.
    event.currentTarget.value = '';
    if (file !== undefined) void set(file);
  };

  return (
    <div className="field" role="group" aria-label="Picture">
      <span className="label" aria-hidden="true">
        Picture
      </span>
      <div className="picture-field">
        <PersonTag name={profile.displayName} color={profile.color} picture={profile.avatarPath} size="large" />
        {/* Not `disabled`: the focus waits here. */}
        <Button
          ref={changeButton}
          size="small"
          aria-disabled={isBusy}
          onClick={() => {
            if (!isBusy) field.current?.click();
          }}
        >
          {hasPicture ? 'Change picture' : 'Add picture'}
        </Button>
        {hasPicture && (
          <Button
            size="small"
            look="plain"
            disabled={isBusy}
            onClick={() => {
              // This button goes with the picture.
              changeButton.current?.focus();
              void set(null);
            }}
          >
            Remove picture
          </Button>
        )}
        <input ref={field} type="file" accept="image/*" hidden aria-label="Picture file" onChange={choose} />
      </div>
      {problem !== null && <p role="alert">{problem}</p>}
    </div>
  );
}
