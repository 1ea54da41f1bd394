// Bounds of a tree, in one place. They hold for what is read and for what an edit makes.

/** How deep items may nest; an item at the top level has depth 1. */
export const MAX_DEPTH = 32;
/** How many items a tree may have. */
export const MAX_ITEMS = 2_000;
/** How deep a context, or a setting that layout does not know, may nest. */
export const MAX_VALUE_DEPTH = 20;
/** How long a tree given as JSON text may be, in bytes of UTF-8. */
export const MAX_TEXT = 4 * 1024 * 1024;
/** How long an item's id may be, in bytes of UTF-8. */
export const MAX_ID = 256;
/** How long a title may be, in characters. */
export const MAX_TITLE = 512;
/** How many diagnostics one reading keeps; the rest is counted. */
export const MAX_DIAGNOSTICS = 100;
/** The smallest share of its container, in percent, that a resize leaves to an item. */
export const MIN_SHARE = 1;
