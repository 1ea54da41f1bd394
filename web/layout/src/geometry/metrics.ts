// Sizes that a picture is drawn with, in CSS pixels.

export interface Metrics {
  /** Height of a strip of tabs. */
  readonly strip: number;
  /** Between neighbours; a splitter fills it. */
  readonly gap: number;
  /** The least that a pane gets where there is room, its strip included. */
  readonly minWidth: number;
  readonly minHeight: number;
  readonly tabMin: number;
  readonly tabMax: number;
  /** What a strip keeps free at its end, for buttons. */
  readonly tools: number;
  /** Depth of the strips along the sides of the canvas that mean a whole side. */
  readonly edge: number;
  /** Whether tabs begin at the right. Rows do not turn: `left` is left in every language. */
  readonly rtl: boolean;
}

export const DEFAULT_METRICS: Metrics = {
  strip: 30,
  gap: 4,
  minWidth: 72,
  minHeight: 72,
  tabMin: 48,
  tabMax: 180,
  tools: 0,
  edge: 16,
  rtl: false,
};
