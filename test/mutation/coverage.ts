import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runTestFile } from './checkout-copy'
import type { Mutant } from './mutant'

/** What a test file reached when the product was whole. */
export interface Baseline {
  /** False where the file fails without any mutant: it can then prove nothing. */
  readonly passed: boolean
  readonly cpu: number
  /** By source file: a hash of its text, and the lines that have code and were not run. */
  readonly reached: Readonly<Record<string, { readonly hash: string; readonly missed: readonly number[] }>>
}

/** A short hash of a file's text. */
export const hashOf = (path: string) => Bun.hash(readFileSync(path)).toString(36)

/** Runs a test file of a copy once, with coverage. */
export async function measure(copy: string, test: string): Promise<Baseline> {
  const folder = mkdtempSync(join(tmpdir(), 'renown-coverage-'))
  try {
    const run = await runTestFile(copy, test, { cpu: 90_000, wall: 300_000 }, folder)
    if (run.outcome !== 'passed') return { passed: false, cpu: run.cpu, reached: {} }
    return {
      passed: true,
      cpu: run.cpu,
      reached: readLcov(copy, readFileSync(join(folder, 'lcov.info'), 'utf8')),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function readLcov(copy: string, text: string): Baseline['reached'] {
  const reached: Record<string, { hash: string; missed: number[] }> = {}
  for (const record of text.split('end_of_record')) {
    const file = /^SF:(.+)$/m.exec(record)?.[1]
    if (!file || !/^(core|ingest|plugins)\//.test(file)) continue
    const missed = [...record.matchAll(/^DA:(\d+),0$/gm)].map((found) => Number(found[1]))
    reached[file] = { hash: hashOf(join(copy, file)), missed }
  }
  return reached
}

/** Whether a test file runs one of the lines of a mutant. */
export function reaches({ passed, reached }: Baseline, { file, line, original }: Mutant): boolean {
  const missed = reached[file]?.missed
  if (!passed || !missed) return false
  const lines = original.split('\n').length
  return Array.from({ length: lines }, (_, index) => line + index).some((each) => !missed.includes(each))
}
