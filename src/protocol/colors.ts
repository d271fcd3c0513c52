// The sixteen dyes of people (design, section 3), farthest first: a newcomer gets the first free one.

export const COLORS = [
  'saffron',
  'larkspur',
  'indigo',
  'heather',
  'cochineal',
  'logwood',
  'woad',
  'rust',
  'gall',
  'orchil',
  'madder',
  'cutch',
  'lichen',
  'nettle',
  'verdigris',
  'weld',
] as const;

export type Color = (typeof COLORS)[number];
