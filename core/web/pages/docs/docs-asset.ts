import { framedDocsStyle } from '../../../http/docs-style'
import { assetOf, hashOf } from '../../framework/assets'

/** Address of the style sheet that only the API reference uses. */
export const docsSheet = `/app/assets/${hashOf(framedDocsStyle)}.css`

/** The style sheet of the API reference, by its address. */
export const docsAssets = new Map([[docsSheet, assetOf('text/css; charset=utf-8', framedDocsStyle)]])
