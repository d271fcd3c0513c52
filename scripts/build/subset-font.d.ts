// The part that `cut-fonts.ts` uses: the published types lack `keepAllGlyphs`.
declare module 'subset-font' {
  type Range = { readonly min: number; readonly max: number };
  export default function subsetFont(
    font: Buffer,
    text: undefined,
    options: {
      readonly keepAllGlyphs: true;
      readonly variationAxes: { readonly [axis: string]: Range };
      readonly preserveNameIds: readonly number[];
    },
  ): Promise<Buffer>;
}
