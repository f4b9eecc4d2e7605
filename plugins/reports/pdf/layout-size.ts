import { ServiceFault } from 'renown'
import type { PageModel } from './page-model'

/** Maximum memory for the texts of a report in the layout, in bytes. The fonts and the program need about 100 MB more. */
const layoutBytesMax = 130_000_000
/** Measured memory of the layout for one cell, one card, and one character. */
const bytesOf = { cell: 10_000, card: 17_000, latin: 140, other: 520 }

/** Estimates the memory that the layout of a report needs, in bytes. */
export function layoutBytes(model: PageModel): number {
  let sum = 0
  for (const { blocks } of model.sections) {
    for (const block of blocks) {
      if (block.kind === 'table') sum += block.rows.length * block.columns.length * bytesOf.cell
      if (block.kind === 'figures') sum += block.figures.length * bytesOf.card
    }
  }
  return sum + bytesOfTexts(model)
}

/** Throws if the layout of a report would need more memory than a renderer may use. */
export function assertFits(model: PageModel): void {
  const bytes = layoutBytes(model)
  if (bytes <= layoutBytesMax) return
  const [needed, allowed] = [bytes, layoutBytesMax].map((one) => Math.ceil(one / 1_000_000))
  throw new ServiceFault(
    'permanent',
    `The report is too large for a PDF: its layout needs about ${needed} MB, and ${allowed} MB are allowed.`,
  )
}

function bytesOfTexts(value: unknown): number {
  if (typeof value === 'string') {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the ASCII characters
    const other = value.replaceAll(/[\u0000-\u024f]/g, '').length
    return other * bytesOf.other + (value.length - other) * bytesOf.latin
  }
  if (typeof value !== 'object' || value === null) return 0
  return Object.entries(value).reduce(
    (sum, [key, part]) => (key === 'svg' || key === 'href' ? sum : sum + bytesOfTexts(part)),
    0,
  )
}
