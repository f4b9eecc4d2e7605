import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { fontsFor } from './fonts'
import type { PageModel } from './page-model'

/** A PDF and the standard that it keeps: PDF/UA-1, or tagged PDF 1.7 if a character has no glyph. */
export interface CompiledPdf {
  readonly bytes: Uint8Array
  readonly standard: 'ua-1' | '1.7'
  readonly pages: number
}

/** Characters that the layout adds to the texts. */
const marks = '✓→•'

/**
 * Lays out a report as a PDF. The same model gives the same bytes. PDF/UA-1 allows no missing glyph, so a report with
 * one becomes a tagged PDF 1.7. `fontFolders` adds fonts for other scripts.
 */
export function compilePdf(model: PageModel, at: Date, fontFolders: readonly string[] = []): CompiledPdf {
  const { fonts, isCovered } = fontsFor(textsIn(model) + marks, fontFolders)
  const fontArgs = [{ fontBlobs: [...fonts] }]
  const compiler = NodeCompiler.create({ workspace: import.meta.dir, fontArgs })
  const compiled = compiler.compile({
    mainFileContent: readFileSync(join(import.meta.dir, 'report.typ'), 'utf8'),
    inputs: { report: JSON.stringify(model) },
  })
  const document = compiled.result
  if (!document) {
    const shown = compiled.takeError()?.shortDiagnostics ?? []
    throw new Error(`The layout failed: ${JSON.stringify(shown).slice(0, 400)}`)
  }
  const creationTimestamp = Math.floor(at.getTime() / 1000)
  const written = (standard: CompiledPdf['standard']): CompiledPdf => {
    const bytes = compiler.pdf(document, { pdfStandard: standard, creationTimestamp })
    return { bytes, standard, pages: document.numOfPages }
  }
  if (!isCovered) return written('1.7')
  try {
    return written('ua-1')
  } catch {
    // Some sequences of characters have no glyph together, though each of them has one.
    return written('1.7')
  }
}

/** Returns all texts of a model. */
function textsIn(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(textsIn).join(' ')
  if (typeof value !== 'object' || value === null) return ''
  return Object.entries(value)
    .map(([key, part]) => (key === 'href' ? '' : textsIn(part)))
    .join(' ')
}
