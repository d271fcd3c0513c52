// The person's name, color and picture, as others see them.
import { Radio } from '@base-ui/react/radio';
import { RadioGroup } from '@base-ui/react/radio-group';
import { useId, useRef, useState } from 'react';
import type { Profile } from '../../../protocol/answers.ts';
import { COLORS, type Color } from '../../../protocol/colors.ts';
import { MAX_NAME_LENGTH } from '../../../protocol/limits.ts';
import { usePerson } from '../../../state/hooks.ts';
import { textOf } from '../../../texts/error-texts.ts';
import { FIELD_TEXTS } from '../../../texts/field-texts.ts';
import { Form } from '../../../ui/controls/form.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { toast } from '../../../ui/floating/toast.tsx';
import { PictureField } from './picture-field.tsx';
import './profile-form.css';

export function ProfileForm({ profile }: { readonly profile: Profile }) {
  const { directory, people } = usePerson();
  const [name, setName] = useState(profile.displayName);
  const colorLabelId = useId();
  /**
   * Saves are sent one after the other, so that the last one wins. `stored`: the profile on the server after the last.
   */
  const saves = useRef({ waiting: 0, stored: Promise.resolve(profile) });
  const save = (displayName: string, color: Color) => {
    if (displayName === '' || (displayName === profile.displayName && color === profile.color)) return;
    const queue = saves.current;
    if (queue.waiting === 0) queue.stored = Promise.resolve(profile);
    queue.waiting += 1;
    people.put({ ...profile, displayName, color });
    queue.stored = queue.stored.then(async (before) => {
      const answer = await directory.updateProfile(displayName, color);
      const stored = answer.ok ? answer.value : before;
      queue.waiting -= 1;
      // What a later save will store is shown already.
      if (queue.waiting === 0) people.put(stored);
      if (!answer.ok) toast(textOf(answer.error));
      return stored;
    });
  };
  return (
    <Form onSend={() => save(name.trim(), profile.color)}>
      <TextField
        label="Name"
        required
        missing={FIELD_TEXTS.name}
        problem={name !== '' && name.trim() === '' ? FIELD_TEXTS.name : null}
        value={name}
        maxCharacters={MAX_NAME_LENGTH}
        autoComplete="name"
        onChange={(event) => setName(event.currentTarget.value)}
        onBlur={(event) => {
          if (event.currentTarget.checkValidity()) save(name.trim(), profile.color);
        }}
      />
      <div className="field">
        <span className="label" id={colorLabelId}>
          Colour
        </span>
        <RadioGroup
          className="dyes"
          aria-labelledby={colorLabelId}
          value={profile.color}
          onValueChange={(color) => save(name.trim() || profile.displayName, color)}
        >
          {COLORS.map((color) => (
            <Radio.Root key={color} value={color} className="dye" data-dye={color} aria-label={color} title={color} />
          ))}
        </RadioGroup>
      </div>
      <PictureField profile={profile} />
    </Form>
  );
}
