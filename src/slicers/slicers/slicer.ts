// A family of slicers: by which line its files are known, and what their comments say.
import type { Comments } from '../comments';
import type { GcodeFigures } from '../plan';

export interface Slicer {
  wrote: RegExp;
  read: (comments: Comments) => GcodeFigures;
}
