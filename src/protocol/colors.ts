// The sixteen colors of people, named after dyes; tokens.css says how each looks. Each is as different as possible from those
// before it. The order is that of `weft.color_of_new_user`.

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
