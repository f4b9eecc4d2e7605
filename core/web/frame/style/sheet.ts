import { assetOf, hashOf } from '../../framework/assets'
import { baseRules } from '../../kit/style/base'
import { formRules } from '../../kit/style/forms'
import { frameRules } from '../../kit/style/frame'
import { icons } from '../../kit/style/icons'
import { partRules } from '../../kit/style/parts'
import { tokenRules } from '../../kit/style/tokens'
import { designAddress, designRules } from './design'

const folder = '/app/assets/'
const fontBytes = await Bun.file(`${import.meta.dir}/inter-latin.woff2`).bytes()

/** Address of the font: Inter, Latin letters, weights 400 to 600 of one variable file. */
export const fontAddress = `${folder}${hashOf(fontBytes)}.woff2`

const strokes = (shape: string) =>
  `url("data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#000" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${shape}</svg>`,
  )
    .replaceAll('%20', ' ')
    .replaceAll('%3D', '=')
    .replaceAll('%2F', '/')}")`

/** Icons are masks in the style sheet, so that no page and no script contains their strokes. */
const iconRules = Object.entries(icons)
  .map(([name, shape]) => `.i-${name}{--i:${strokes(shape)}}`)
  .join('\n')

/** The one style sheet of all pages. Pages of plugins add rules of their own. */
export const sheet = [
  tokenRules.replace('FONT', fontAddress),
  baseRules,
  formRules,
  partRules,
  frameRules,
  iconRules,
].join('\n')

/** Address of the style sheet. It changes when the style sheet changes. */
export const sheetAddress = `${folder}${hashOf(sheet)}.css`

/** The style sheets and the font, by address. */
export const styleAssets = new Map([
  [sheetAddress, assetOf('text/css; charset=utf-8', sheet)],
  [designAddress, assetOf('text/css; charset=utf-8', designRules)],
  [fontAddress, assetOf('font/woff2', fontBytes)],
])
