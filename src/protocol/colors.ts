// The sixteen colors of people. Each is as different as possible from those before it; a newcomer gets the first free
// one.

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
