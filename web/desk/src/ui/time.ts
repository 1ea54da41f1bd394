const CLOCK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });

/** The time of day as people here write it. */
export function clock(milliseconds: number): string {
  return CLOCK.format(milliseconds);
}
