// A number with its noun, as people read it: “1 page”, “1,200 pages”.

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
