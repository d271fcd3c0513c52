import { expect, test } from 'vitest';
import { crowdedCards, layOutCards } from '../../../src/features/comments/lane/lay-out-cards.ts';

const cards = (...lines: readonly (number | null)[]) => lines.map((line) => ({ line, height: 40 }));

test('each card stands at the line of its words, and makes room for the one above', () => {
  expect(layOutCards(cards(100, 300, 320, 330, 600), null, 58)).toEqual([100, 300, 350, 400, 600]);
});

test('the active card keeps its line: those above it move up, those below it down', () => {
  expect(layOutCards(cards(300, 320, 330, 340), 2, 58)).toEqual([230, 280, 330, 380]);
});

test('cards that are not in the way of the active card stay', () => {
  expect(layOutCards(cards(100, 110, 120, 900), 3, 58)).toEqual([100, 150, 200, 900]);
  expect(layOutCards(cards(100, 500, 520, 530), 3, 58)).toEqual([100, 430, 480, 530]);
});

test('without room above, the active card moves down too', () => {
  expect(layOutCards(cards(70, 80, 90), 2, 58)).toEqual([58, 108, 158]);
});

test('a card without a line follows the card before it', () => {
  expect(layOutCards(cards(100, null, 400), null, 58)).toEqual([100, 150, 400]);
  expect(layOutCards(cards(null, 60), 1, 58)).toEqual([58, 108]);
});

test('more than two cards in 120 pixels have one line each', () => {
  expect([...crowdedCards([0, 100, 300, 400, 410, 700])]).toEqual([2, 3, 4]);
  expect([...crowdedCards([0, 60, 121])]).toEqual([]);
  expect([...crowdedCards([0, null, 10, 200])]).toEqual([0, 1, 2]);
});

test('two hundred cards on one line do not overlap', () => {
  const tops = layOutCards(cards(...Array.from({ length: 200 }, () => 900)), 100, 58);
  expect(tops.every((top, at) => at === 0 || top >= (tops[at - 1] ?? 0) + 50)).toBe(true);
  expect(tops.at(0)).toBe(58);
});
