// How the messages that Supabase counts grow with those who watch.
import { linesPicture } from './lines.ts';
import type { Result } from './result.ts';

export function messagesPicture({ machine, figures }: Result): string {
  const measured = Object.entries(figures).flatMap(([system, { values }]) =>
    Object.entries(values).flatMap(([name, value]) => {
      const [writers = '', watchers = ''] = name.split(' × ');
      return value === null ? [] : [{ system, writers, point: [Number(watchers), value] as const }];
    }),
  );
  return linesPicture({
    title: 'Realtime messages of one page',
    notes: ['Messages a second, sent and received, logarithmic.', 'y-supabase: measured with up to 20 people.'],
    size: 'people who watch',
    machine,
    panelHeight: 110,
    panels: Array.from(
      Map.groupBy(measured, ({ writers }) => writers),
      ([writers, some]) => ({
        head: writers === '1' ? '1 person types' : `${writers} people type`,
        lines: Array.from(
          Map.groupBy(some, ({ system }) => system),
          ([system, own]) => ({
            system,
            points: own.map(({ point }) => point),
          }),
        ),
      }),
    ),
  });
}
