import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { wilson } from '../../core/kit/statistics/wilson'
import { readAccepted, staleEntries, withoutAccepted } from './accepted'
import { type Area, filesOf } from './areas'
import { copyCheckout, removeCopy } from './checkout-copy'
import { type Bench, baselineOf, kill, testsNear } from './kill'
import { drawn, type Mutant, printed } from './mutant'
import { Notes } from './notes'
import { mutantsOf } from './operators'
import { importersIn } from './reach'

/** The share of mutants that tests must notice. */
export const goal = 0.95

/** How to run an area. */
export interface Asked {
  readonly root: string
  readonly sample: number
  readonly seed: number
  /** Keeps mutants of files with this word in their path, and of this line. */
  readonly word?: string | undefined
  readonly line?: number | undefined
  readonly mostTests: number
  /** CPU milliseconds that tests may take for one mutant. */
  readonly budget: number
  readonly isFresh: boolean
  /** When no further mutant is begun, in milliseconds of `performance.now`. */
  readonly until?: number
  readonly say: (line: string) => void
}

/** What a run found. */
export interface Report {
  readonly area: string
  readonly sampled: number
  readonly killed: number
  readonly survivors: readonly Mutant[]
  /** False where the sample shows, with 95 % confidence, that tests notice less than they must. */
  readonly isGood: boolean
}

/** Every mutant of an area that is not accepted. */
export function mutantsIn(area: Area, root: string): Mutant[] {
  const files = filesOf(area, root)
  const mutants = files.flatMap((file) => mutantsOf(file, readFileSync(join(root, file), 'utf8')))
  return withoutAccepted(mutants, readAccepted())
}

/** Opens a copy of the checkout in which mutants are run, with the notes of earlier runs. */
export function openBench({ root, mostTests, budget, isFresh }: Asked): Bench {
  const copy = copyCheckout(root)
  const notes = new Notes(join(root, 'node_modules', '.cache', 'mutation'), isFresh)
  return { copy, importers: importersIn(copy), mostTests, budget, notes, kills: new Map() }
}

/** Measures what the nearest tests of an area reach, so that later runs choose the right ones. Makes no change. */
export async function mapArea(area: Area, asked: Asked): Promise<void> {
  const bench = openBench(asked)
  try {
    const tests = [...new Set(filesOf(area, asked.root).flatMap((file) => testsNear(bench, file)))].sort()
    for (const [index, test] of tests.entries()) {
      const baseline = await baselineOf(bench, test)
      const said = !baseline
        ? 'too busy'
        : !baseline.passed
          ? 'FAILED'
          : `${Math.round(baseline.cpu)} ms of CPU`
      asked.say(`[${index + 1}/${tests.length}] ${test}: ${said}`)
    }
  } finally {
    removeCopy(bench.copy)
  }
}

/** Draws mutants of an area, runs the tests against each one and reports the survivors. */
export async function runArea(area: Area, asked: Asked): Promise<Report> {
  const { root, say } = asked
  const stale = staleEntries(readAccepted(), root)
  for (const { file, code } of stale)
    say(`accepted.json names a mutant that no longer exists: ${file}: ${code}`)
  const isAsked = ({ file, line }: Mutant) =>
    (!asked.word || file.includes(asked.word)) && (!asked.line || line === asked.line)
  const all = mutantsIn(area, root).filter(isAsked)
  const sample = drawn(all, asked.sample, asked.seed)
  say(`${area.name}: ${sample.length} of ${all.length} mutants, seed ${asked.seed}`)
  const bench = openBench(asked)
  const survivors: Mutant[] = []
  let decided = 0
  try {
    for (const [index, mutant] of sample.entries()) {
      if (asked.until !== undefined && performance.now() > asked.until) break
      const { outcome, by, tests } = await kill(bench, mutant)
      if (outcome === 'survived') survivors.push(mutant)
      if (outcome !== 'undecided') decided++
      const how = by ? `${outcome} by ${by}` : `SURVIVED ${tests.length} test files`
      say(`[${index + 1}/${sample.length}] ${how}: ${printed(mutant)}`)
    }
  } finally {
    removeCopy(bench.copy)
  }
  const killed = decided - survivors.length
  const [low, high] = wilson(killed, decided) ?? [0, 1]
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`
  const whole = `between ${percent(low)} and ${percent(high)} of all`
  say(
    `${area.name}: ${killed} of ${decided} killed (${percent(killed / Math.max(1, decided))}, ${whole}), seed ${asked.seed}`,
  )
  if (decided < sample.length)
    say(`  ${sample.length - decided} not decided: too little time or too busy a machine`)
  for (const mutant of survivors) say(`  survivor ${printed(mutant)}`)
  return {
    area: area.name,
    sampled: decided,
    killed,
    survivors,
    isGood: isPossible(area, killed, decided) && stale.length === 0,
  }
}

/** Whether the share that an area needs is possible, with 95 % confidence, after so many were killed of a sample. */
export function isPossible({ floor = goal }: Pick<Area, 'floor'>, killed: number, decided: number): boolean {
  const [, high] = wilson(killed, decided) ?? [0, 1]
  return high >= floor
}
