// Numbers and dates in the person's own way of writing them.

const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const signed = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0, signDisplay: 'exceptZero' });
const price = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 4 });
const count = new Intl.NumberFormat(undefined, { maximumFractionDigits: 4 });
const percent = new Intl.NumberFormat(undefined, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' });
const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });

export const formatValue = (value: number): string => whole.format(value);
/** With a minus as wide as the plus, so that signs stand under each other. */
export const formatGain = (value: number): string => signed.format(value).replace('-', '\u2212');
export const formatPrice = (value: number): string => price.format(value);
export const formatCount = (value: number): string => count.format(value);
/** Of a share that is already in percent. */
export const formatPercent = (value: number): string => `${percent.format(value)} %`;
export const formatDay = (value: Date): string => day.format(value);
export const formatTime = (value: Date): string => time.format(value);
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
