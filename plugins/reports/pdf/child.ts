import { writeFileSync } from 'node:fs'
import { compilePdf } from './compile'
import type { PageModel } from './page-model'

/**
 * The process that renders one PDF. It gets the id of the report and its token on standard input, asks its parent for
 * the texts with them, and writes the PDF to standard output. It opens no connection and has no credentials. It ends
 * when its parent ends.
 */
interface Order {
  readonly report_id: string
  readonly token: string
}

/** What the parent sends for a valid token. */
export interface Work {
  readonly model: PageModel
  /** Creation time of the PDF. RFC 3339. */
  readonly at: string
  readonly fontFolders: readonly string[]
}

// If the machine has too little memory, Linux ends this process before any other.
try {
  writeFileSync('/proc/self/oom_score_adj', '1000')
} catch {
  // Other systems have no such file.
}

const order = (await Bun.stdin.json()) as Order
process.on('disconnect', () => process.exit(1))
process.on('message', (work: Work) => {
  const { bytes, standard, pages } = compilePdf(work.model, new Date(work.at), work.fontFolders)
  const head = Buffer.from(`${JSON.stringify({ standard, pages, length: bytes.length })}\n`)
  process.stdout.write(Buffer.concat([head, bytes]), () => process.exit(0))
})
process.send?.(order)
