import { framedDocsStyle } from '../../http/docs-style'
import { assetOf, hashOf } from '../assets'

/** Address of the rules of the API reference, which only its page needs. */
export const docsSheet = `/app/assets/${hashOf(framedDocsStyle)}.css`

/** The rules of the API reference, by address. */
export const docsAssets = new Map([[docsSheet, assetOf('text/css; charset=utf-8', framedDocsStyle)]])
