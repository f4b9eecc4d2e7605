import { appendixColumns, appendixOf } from '../blocks/appendix'
import type { Block, BlockOf, ReportTree } from '../blocks/block'
import { certaintyOf, changeOf, isNumeric, shownCell, shownDay, shownNumber } from '../blocks/format'
import type { BrandPicture } from '../branding/branding'
import { chartSvg } from '../charts/chart-svg'
import { breakable, breakableCell, clean, withoutMarks } from './clean-text'

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
  sections: sectionsOf(tree),
  columns: appendixColumns.map((label) => ({ label, numeric: false })),
  figures: appendixOf(tree).map(({ label, value, interval, n, change, definition }) => [
    ...[label, value, interval, n, change].map(cell),
    idCell(definition),
  ]),
  definitions: tree.definitions.map(({ name, text, id }) => ({ name: clean(name), text: clean(text), id })),
})

function sectionsOf(tree: ReportTree) {
  const places = sectionOfFigures(tree)
  return tree.sections.map(({ name, title, blocks }) => ({
    name,
    title: clean(title),
    blocks: blocks.map((block) =>
      modelOf(block, (id) => (places.get(id) === name ? '' : (places.get(id) ?? ''))),
    ),
  }))
}

/** `sectionOf` returns the section that explains a figure, empty if it is this one. */
function modelOf(block: Block, sectionOf: (figure: string) => string) {
  switch (block.kind) {
    case 'figures':
      return {
        kind: block.kind,
        figures: block.figures.map((figure) => ({
          label: breakable(clean(figure.label)),
          to: sectionOf(figure.id),
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
        svg: chartSvg(simpleLabels(block), '#374151'),
      }
    case 'table':
      return {
        kind: block.kind,
        title: clean(block.title),
        columns: block.columns.map(({ label, type }) => ({ label: clean(label), numeric: isNumeric(type) })),
        rows: block.rows.map((row) =>
          block.columns.map(({ type }, place) => cell(shownCell(row[place] ?? null, type))),
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
              source,
              ...(at === undefined ? [] : [shownDay(at)]),
            ].join(' · '),
          ),
          href: href?.startsWith('https://') ? href : '',
        })),
      }
    case 'did':
    case 'next':
      return {
        kind: block.kind,
        title: block.kind === 'did' ? 'What we did' : 'What comes next',
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
    width: width * scale,
    height: height * scale,
  }
}

/**
 * The layout looks for a font per character in the texts of a chart. It never ends for some letters with marks, so marks
 * are left out there.
 */
const simpleLabels = (chart: BlockOf<'chart'>): BlockOf<'chart'> => ({
  ...chart,
  labels: chart.labels.map(withoutMarks),
  series: chart.series.map((one) => ({ ...one, name: withoutMarks(one.name) })),
})

/** A text with the direction in which it is read. */
const spoken = (text: string) => ({ text: breakable(clean(text)), rtl: isRtl(text) })

/** A text of a cell with its direction. */
const cell = (text: string) => ({ text: breakableCell(clean(text)), rtl: isRtl(text) })

/** An id in a cell. It is broken between its words. */
const idCell = (id: string) => ({ text: clean(id).replaceAll(/[._](?=.)/g, '$&\u200b'), rtl: false })

/** Returns the section that explains each figure: the last one that has it. */
function sectionOfFigures({ sections }: ReportTree): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const { name, blocks } of sections) {
    for (const block of blocks) {
      if (block.kind === 'figures') for (const { id } of block.figures) found.set(id, name)
    }
  }
  return found
}

/** Whether a text is read from right to left: its first letter of any script decides. */
const isRtl = (text: string): boolean => {
  const [first] = /\p{L}/u.exec(text) ?? []
  return (
    first !== undefined &&
    /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u.test(first)
  )
}
