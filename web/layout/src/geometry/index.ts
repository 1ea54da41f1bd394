// The tree on a canvas: rectangles, what is under a point, what a drop there does.

export { hitTest } from './hit.ts';
export type { Hit, Zone } from './hit.ts';
export { DEFAULT_METRICS } from './metrics.ts';
export type { Metrics } from './metrics.ts';
export { draw } from './picture.ts';
export type { Pane, Picture, Splitter, Tab, WindowBox } from './picture.ts';
export type { Point, Rect } from './rect.ts';
export { lengthFor, percentOf, resizeTo } from './resize.ts';
export { aim, placeOf, subjectId } from './target.ts';
export type { Scene, Subject, Target } from './target.ts';
