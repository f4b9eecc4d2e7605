import { definePage } from 'renown/pages'
import { visibilityWords } from '../words'
import { downloadPrompts } from './download-prompts'
import { loadVisibility } from './load-visibility'
import type { VisibilityData } from './visibility-data'
import { visibilityStyle } from './visibility-style'

/** The page of AI visibility. */
export const visibilityPage = definePage<VisibilityData>({
  path: '/app/visibility',
  title: 'AI visibility',
  nav: { label: visibilityWords('nav'), order: 50, icon: 'eye' },
  module: new URL('./VisibilityPage.tsx', import.meta.url),
  isStatic: true,
  load: loadVisibility,
  download: downloadPrompts,
  style: visibilityStyle,
})
