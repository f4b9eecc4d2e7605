import { ahrefsRulers } from './ahrefs'
import { otterlyRulers } from './otterly'
import { peecRulers } from './peec'
import { profoundRulers } from './profound'
import { renownRulers } from './renown'
import type { VisibilityRuler } from './ruler'
import { semrushRulers } from './semrush'

/** All definitions that come with Renown. */
export const publishedRulers: readonly VisibilityRuler[] = [
  ...renownRulers,
  ...profoundRulers,
  ...peecRulers,
  ...otterlyRulers,
  ...semrushRulers,
  ...ahrefsRulers,
]
