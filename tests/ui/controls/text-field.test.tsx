import { globSync, readFileSync } from 'node:fs';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { Form } from '../../../src/ui/controls/form.tsx';
import { TextField } from '../../../src/ui/controls/text-field.tsx';

afterEach(cleanup);

test('a value that is too long stays as it was typed, says so, and is not sent until it is shorter', () => {
  const sent: unknown[] = [];
  render(
    <Form onSend={(form) => sent.push(form.get('name'))}>
      <TextField label="Name" name="name" maxCharacters={5} />
      <button type="submit">Save</button>
    </Form>,
  );
  const field = screen.getByLabelText('Name');
  const type = (value: string) => fireEvent.change(field, { target: { value } });
  const send = () => fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  type('Mireille');
  expect(field).toHaveProperty('value', 'Mireille');
  expect(screen.getByRole('alert').textContent).toBe('At most 5 characters.');
  send();
  expect(sent).toEqual([]);
  expect(screen.getByRole('alert').textContent).toBe('At most 5 characters.');
  // The database counts code points, and outer spaces are not stored.
  type(' 👩👩👩👩👩 ');
  expect(screen.queryByRole('alert')).toBeNull();
  send();
  expect(sent).toEqual([' 👩👩👩👩👩 ']);
});

test('no field of the app swallows characters: none has a maxLength', () => {
  const withLimit = globSync('src/**/*.tsx').filter((file) => readFileSync(file, 'utf8').includes('maxLength='));
  expect(withLimit).toEqual([]);
});
