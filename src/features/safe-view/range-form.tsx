// Chooses all blocks from one number to another, so that no one has to click on thousands.
import { useId, useState } from 'react';
import { Button } from '../../ui/controls/button.tsx';

type RangeFormProps = { readonly count: number; readonly onChoose: (from: number, to: number) => void };

export function RangeForm({ count, onChoose }: RangeFormProps) {
  const id = useId();
  const [from, setFrom] = useState('1');
  const [to, setTo] = useState('');
  const last = to === '' ? count : Number(to);
  const isValid = Number(from) >= 1 && last >= Number(from);
  const field = (name: string, value: string, set: (value: string) => void, hint: string) => (
    <>
      <label htmlFor={`${id}-${name}`}>{name === 'from' ? 'Blocks' : 'to'}</label>
      <input
        id={`${id}-${name}`}
        className="input"
        type="number"
        inputMode="numeric"
        min={1}
        max={count}
        placeholder={hint}
        value={value}
        onChange={({ target }) => set(target.value)}
      />
    </>
  );
  return (
    <form
      className="safe-range"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isValid) return;
        onChoose(Number(from), last);
        // The numbers of the blocks change when these are deleted.
        setFrom('1');
        setTo('');
      }}
    >
      {field('from', from, setFrom, '1')}
      {field('to', to, setTo, String(count))}
      <Button type="submit" disabled={!isValid}>
        Choose
      </Button>
    </form>
  );
}
