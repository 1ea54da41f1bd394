/** The states of the gallery, for those who run no page. */
export const NAMES = [
  'desk',
  'primitives',
  'bare',
  'connecting',
  'down',
  'off-channel',
  'launcher',
  'launcher-down',
  'why',
  'why-all',
  'why-nothing',
  'why-error',
  'save-as',
  'save-as-replaces',
  'rename',
  'close',
  'delete-layout',
  'shortcuts',
  'about',
  'notices',
  'why-many',
] as const;

export type Name = (typeof NAMES)[number];
