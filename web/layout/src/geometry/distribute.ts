// How the length of a row or column becomes the lengths of its children.

import { sum } from '../tree/sizes.ts';

/**
 * Lengths in proportion to `shares`, none below its minimum where all minimums fit; the others
 * give what those take. Where not even the minimums fit, lengths are in proportion to them.
 */
export function distribute(length: number, shares: readonly number[], minimums: readonly number[]): number[] {
  const least = sum(minimums);
  if (least >= length) return minimums.map((min) => (least > 0 ? (min * length) / least : 0));
  const fixed = new Set<number>();
  for (;;) {
    const free = length - sum(minimums.filter((_, place) => fixed.has(place)));
    const weight = sum(shares.filter((_, place) => !fixed.has(place)));
    const lengths = shares.map((share, place) =>
      fixed.has(place) ? (minimums[place] ?? 0) : weight > 0 ? (share * free) / weight : 0,
    );
    const short = lengths.findIndex((one, place) => !fixed.has(place) && one < (minimums[place] ?? 0));
    if (short < 0) return lengths;
    fixed.add(short);
  }
}
