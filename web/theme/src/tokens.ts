// The names of the tokens, as MCP Apps hosts hand them to views; `tokens.css` has their values.

const ROLES = ['primary', 'secondary', 'tertiary', 'inverse', 'ghost', 'info', 'danger', 'success', 'warning', 'disabled'];
const RINGS = ['primary', 'secondary', 'inverse', 'info', 'danger', 'success', 'warning'];
const TEXTS = ['xs', 'sm', 'md', 'lg'];
const HEADINGS = ['xs', 'sm', 'md', 'lg', 'xl', '2xl', '3xl'];

export const TOKENS: readonly string[] = [
  ...['background', 'text', 'border'].flatMap((part) => ROLES.map((role) => `--color-${part}-${role}`)),
  ...RINGS.map((role) => `--color-ring-${role}`),
  ...['sans', 'mono'].map((face) => `--font-${face}`),
  ...['normal', 'medium', 'semibold', 'bold'].map((weight) => `--font-weight-${weight}`),
  ...TEXTS.flatMap((size) => [`--font-text-${size}-size`, `--font-text-${size}-line-height`]),
  ...HEADINGS.flatMap((size) => [`--font-heading-${size}-size`, `--font-heading-${size}-line-height`]),
  ...['xs', 'sm', 'md', 'lg', 'xl', 'full'].map((size) => `--border-radius-${size}`),
  '--border-width-regular',
  ...['hairline', 'sm', 'md', 'lg'].map((size) => `--shadow-${size}`),
];

/** The value under one theme: every `light-dark(a, b)` in it is one of the two. */
export function resolve(value: string, theme: 'light' | 'dark'): string {
  const start = value.indexOf('light-dark(');
  if (start < 0) return value.trim();
  const inside = start + 'light-dark('.length;
  let depth = 1;
  let comma = -1;
  let end = inside;
  for (; end < value.length && depth > 0; end += 1) {
    const letter = value[end];
    if (letter === '(') depth += 1;
    else if (letter === ')') depth -= 1;
    else if (letter === ',' && depth === 1 && comma < 0) comma = end;
  }
  // Not closed, or not two colours: not ours to mend.
  if (depth > 0 || comma < 0) return value.trim();
  const chosen = theme === 'light' ? value.slice(inside, comma) : value.slice(comma + 1, end - 1);
  return resolve(value.slice(0, start) + chosen.trim() + value.slice(end), theme);
}
