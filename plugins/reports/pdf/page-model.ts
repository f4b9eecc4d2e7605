import type { Block, ReportTree } from '../blocks/block'
import { isRtl } from '../blocks/direction'
import { certaintyOf, changeOf, isNumeric, shownCell, shownDay, shownNumber } from '../blocks/format'
import type { BrandPicture } from '../branding/branding'
import { chartSvg } from '../charts/chart-svg'

/** The texts of a report for the layout of the PDF. The layout decides nothing but where they stand. */
export type PageModel = ReturnType<typeof pageModelOf>

/** Makes the model of a PDF. All texts are final: numbers are words, and control characters are left out. */
export const pageModelOf = (tree: ReportTree, picture: BrandPicture | null = null) => ({
  color: tree.brand?.color ?? '',
  logo: logoOf(picture),
  made_with: tree.brand?.shows_renown === true ? 'Made with Renown' : '',
  title: clean(tree.title),
  subject: spoken(tree.subject),
  period: clean(tree.period),
  from: spoken(tree.from),
  hash: tree.dataHash,
  sections: tree.sections.map(({ title, blocks }) => ({ title: clean(title), blocks: blocks.map(modelOf) })),
  definitions: tree.definitions.map(({ name, text, id }) => ({ name: clean(name), text: clean(text), id })),
})

function modelOf(block: Block) {
  switch (block.kind) {
    case 'figures':
      return {
        kind: block.kind,
        figures: block.figures.map((figure) => ({
          label: clean(figure.label),
          value: shownNumber(figure.value, figure.unit),
          why: clean(figure.value === null ? (figure.unknown_because ?? '') : ''),
          change: changeOf(figure),
          certainty: certaintyOf(figure) ?? '',
        })),
      }
    case 'chart':
      return {
        kind: block.kind,
        title: clean(block.title),
        alt: clean(block.alt),
        svg: chartSvg(block, '#374151'),
      }
    case 'table':
      return {
        kind: block.kind,
        title: clean(block.title),
        columns: block.columns.map(({ label, type }) => ({ label: clean(label), numeric: isNumeric(type) })),
        rows: block.rows.map((row) =>
          block.columns.map(({ type }, place) => spoken(shownCell(row[place] ?? null, type))),
        ),
        more: block.more ?? 0,
      }
    case 'text':
      return { kind: block.kind, by: block.by, paragraphs: block.paragraphs.map(spoken) }
    case 'evidence':
      return {
        kind: block.kind,
        title: clean(block.title),
        items: block.items.map(({ quote, author, source, at, rating, href }) => ({
          quote: spoken(quote),
          meta: spoken(
            [
              ...(rating === undefined ? [] : [`${rating} of 5 stars`]),
              ...(author === undefined ? [] : [author]),
              ...[source, ...(at === undefined ? [] : [shownDay(at)])],
            ].join(' · '),
          ),
          href: href?.startsWith('https://') ? href : '',
        })),
      }
    case 'did':
    case 'next':
      return {
        kind: block.kind,
        items: block.items.map(({ text, because }) => ({
          text: spoken(text),
          because: spoken(because ?? ''),
        })),
      }
    case 'note':
      return { kind: block.kind, text: spoken(block.text) }
  }
}

/** The space for a logo, in millimetres. */
const logoSpace = { width: 60, height: 16 } as const

/** Returns a logo as SVG, because the layout gets texts only, with its size in millimetres. */
function logoOf(picture: BrandPicture | null) {
  if (!picture) return { svg: '', width: 0, height: 0 }
  const { type, base64, width, height } = picture
  const scale = Math.min(logoSpace.width / width, logoSpace.height / height)
  const size = `width="${width}" height="${height}"`
  return {
    svg: `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${width} ${height}"><image ${size} href="data:${type};base64,${base64}"/></svg>`,
    ...{ width: width * scale, height: height * scale },
  }
}

/** A text with the direction in which it is read. */
const spoken = (text: string) => ({ text: clean(text), rtl: isRtl(text) })

/** Leaves out what no PDF can show: control characters, lone surrogates and marks that change the order of other text. */
const clean = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\t\r\n\u2028\u2029]+/g, ' ')
    .replaceAll(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/gu, '')
