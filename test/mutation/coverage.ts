import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isOfArea } from './areas'
import type { Mutant } from './mutant'
import { type Limits, mostMemory, runTestFile, type TestRun } from './test-run'

/** What a test file reached of one source file: a hash of the text and the lines that it did not run, as `3-9,12`. */
export interface Reached {
  readonly hash: string
  readonly missed: string
}

/** What is known of a test file from a run on the whole product. CPU milliseconds and bytes. */
export interface Baseline {
  /** False where the file fails without any mutant: it can then prove nothing. */
  readonly passed: boolean
  readonly cpu: number
  readonly memory: number
  readonly reached: Readonly<Record<string, Reached>>
}

/** A short hash of a text. */
export const hashOf = (text: string | NodeJS.ArrayBufferView) => Bun.hash(text).toString(36)

/** Limits of a test file of which nothing is known. */
export const unknownLimits: Limits = { cpu: 120_000, memory: mostMemory }

/** Runs a test file of a copy with coverage. `reached` is null unless it passed. */
export async function runCovered(
  copy: string,
  test: string,
  limits: Limits,
  textOf: (file: string) => string,
): Promise<TestRun & { readonly reached: Baseline['reached'] | null }> {
  const folder = mkdtempSync(join(tmpdir(), 'renown-coverage-'))
  try {
    const run = await runTestFile(copy, test, limits, folder)
    const reached =
      run.outcome === 'passed' ? readLcov(readFileSync(join(folder, 'lcov.info'), 'utf8'), textOf) : null
    return { ...run, reached }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function readLcov(lcov: string, textOf: (file: string) => string): Baseline['reached'] {
  const reached: Record<string, Reached> = {}
  for (const record of lcov.split('end_of_record')) {
    const file = /^SF:(.+)$/m.exec(record)?.[1]
    if (!file || !isOfArea(file)) continue
    const missed = [...record.matchAll(/^DA:(\d+),0$/gm)].map((found) => Number(found[1]))
    reached[file] = { hash: hashOf(textOf(file)), missed: ranges(missed) }
  }
  return reached
}

/** Prints rising numbers as ranges. */
export function ranges(numbers: readonly number[]): string {
  const found: [number, number][] = []
  for (const number of numbers) {
    const last = found.at(-1)
    if (last && number === last[1] + 1) last[1] = number
    else found.push([number, number])
  }
  return found.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',')
}

const isWithin = (printed: string, line: number) =>
  printed.split(',').some((range) => {
    const [from = 0, to = from] = range.split('-').map(Number)
    return from <= line && line <= to
  })

/**
 * Whether a test file runs one of the lines of a mutant. `now` is the text of the mutant's file, `then` the text that was
 * measured: lines are found again by their words after others have changed. A line that was not there counts as run.
 */
export function reaches(
  { reached }: Pick<Baseline, 'reached'>,
  { file, line, original }: Pick<Mutant, 'file' | 'line' | 'original'>,
  now: string,
  then: string | undefined,
): boolean {
  const known = reached[file]
  if (!known) return false
  const count = original.split('\n').length
  const lines = Array.from({ length: count }, (_, index) => line + index)
  if (known.hash === hashOf(now)) return lines.some((each) => !isWithin(known.missed, each))
  if (then === undefined) return true
  const measured = then.split('\n').map((text) => text.trim())
  const current = now.split('\n')
  return lines.some((each) => {
    const text = (current[each - 1] ?? '').trim()
    const places = measured.flatMap((other, index) => (other === text ? [index + 1] : []))
    return places.length === 0 || places.some((place) => !isWithin(known.missed, place))
  })
}
