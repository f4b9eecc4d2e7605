import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Header, Mark, Row } from '../../transfer/format'
import type { Cli } from '../cli'
import { progressBar } from '../import/progress'
import type { Link } from '../link'
import { printAnswer } from '../print/print'

/** Writes all rows, page by page. The file gets its name only when it is complete. */
export async function exportData(cli: Cli, link: Link, file: string): Promise<void> {
  const target = openTarget(cli, file)
  const bar = progressBar(cli.terminal)
  const counts: Record<string, number> = {}
  let rows = 0
  try {
    // Flushes first, because accepted hits that are still in the journal belong to the export.
    await link.post('/flush')
    const { header, parts } = await link.post<{ header: Header; parts: string[] }>('/data/begin')
    target.write(`${JSON.stringify(header)}\n`)
    for (const part of parts) {
      let after: Mark | null = null
      do {
        const page: Page = await link.post<Page>('/data/page', { part, after })
        target.write(page.rows.map((row) => `${JSON.stringify({ in: part, row })}\n`).join(''))
        if (page.rows.length > 0) counts[part] = (counts[part] ?? 0) + page.rows.length
        rows += page.rows.length
        bar.show({ share: null, lines: rows, note: part })
        after = page.after
      } while (after)
    }
    target.write(`${JSON.stringify({ end: true, counts })}\n`)
    target.finish()
  } catch (error) {
    target.drop()
    throw error
  } finally {
    bar.clear()
  }
  const facts = { file: file === '-' ? 'standard output' : resolve(file), rows, counts }
  // If the data goes to standard output, messages go to standard error.
  const terminal = file === '-' ? { ...cli.terminal, out: cli.terminal.err } : cli.terminal
  printAnswer(terminal, cli.json(), facts)
}

interface Page {
  readonly rows: readonly Row[]
  readonly after: Mark | null
}

interface Target {
  write(text: string): void
  finish(): void
  drop(): void
}

function openTarget(cli: Cli, file: string): Target {
  if (file === '-') return { write: cli.terminal.out, finish() {}, drop() {} }
  const path = resolve(file)
  if (existsSync(path)) throw new Error(`The file ${path} already exists.`)
  const part = `${path}.part`
  rmSync(part, { force: true })
  const descriptor = openSync(part, 'wx', 0o600)
  return {
    write(text) {
      let left = Buffer.from(text)
      while (left.byteLength > 0) left = left.subarray(writeSync(descriptor, left))
    },
    finish() {
      fsyncSync(descriptor)
      closeSync(descriptor)
      renameSync(part, path)
    },
    drop() {
      rmSync(part, { force: true })
    },
  }
}
