// Limits the search to pages that were last changed in a period, or between two days.
import { useState } from 'react';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { LayerBoundary } from '../../ui/feedback/error-boundary.tsx';
import { Dialog } from '../../ui/floating/dialog.tsx';
import { Menu, MenuCheckItem, MenuItem, MenuSeparator } from '../../ui/floating/menu.tsx';
import { FilterButton, SetFilter } from './filter-chip.tsx';
import { type Between, PERIODS, type Period, type SearchQuery } from './search-query.ts';

type DateFilterProps = { readonly when: SearchQuery['when']; readonly onChange: (when: SearchQuery['when']) => void };

const NAMES: Record<Period, string> = {
  today: 'Today',
  week: 'Past 7 days',
  month: 'Past 30 days',
  year: 'Past year',
};

export function DateFilter({ when, onChange }: DateFilterProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      {when === null ? (
        <Menu trigger={<FilterButton>Any time</FilterButton>}>
          <MenuCheckItem checked onCheckedChange={() => undefined}>
            Any time
          </MenuCheckItem>
          {PERIODS.map((period) => (
            <MenuCheckItem key={period} checked={false} onCheckedChange={() => onChange(period)}>
              {NAMES[period]}
            </MenuCheckItem>
          ))}
          <MenuSeparator />
          <MenuItem icon={<span className="icon" />} onSelect={() => setAsking(true)}>
            Between…
          </MenuItem>
        </Menu>
      ) : (
        <SetFilter clearLabel="Clear time" onClear={() => onChange(null)}>
          {typeof when === 'string' ? NAMES[when] : textOfDays(when)}
        </SetFilter>
      )}
      {isAsking && (
        <LayerBoundary onDismiss={() => setAsking(false)}>
          <BetweenDialog
            onChoose={(between) => {
              setAsking(false);
              onChange(between);
            }}
            onClose={() => setAsking(false)}
          />
        </LayerBoundary>
      )}
    </>
  );
}

function textOfDays({ from, to }: Between): string {
  if (from === '') return `Until ${dayText(to)}`;
  if (to === '') return `Since ${dayText(from)}`;
  return from === to ? dayText(from) : `${dayText(from)} – ${dayText(to)}`;
}

const dayText = (day: string): string =>
  new Date(`${day}T00:00`).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

type BetweenDialogProps = { readonly onChoose: (between: Between) => void; readonly onClose: () => void };

function BetweenDialog({ onChoose, onClose }: BetweenDialogProps) {
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [first, last] = from !== '' && to !== '' && from > to ? [to, from] : [from, to];
  return (
    <Dialog title="Changed between" open size="small" onOpenChange={onClose}>
      <section className="between">
        <TextField label="From" type="date" value={from} onChange={(event) => setFrom(event.currentTarget.value)} />
        <TextField label="To" type="date" value={to} onChange={(event) => setTo(event.currentTarget.value)} />
      </section>
      <footer>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="primary"
          disabled={first === '' && last === ''}
          onClick={() => onChoose({ from: first, to: last })}
        >
          Search
        </Button>
      </footer>
    </Dialog>
  );
}
