import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readAccepted, staleEntries, withoutAccepted } from './accepted'
import { type Area, filesOf } from './areas'
import { copyCheckout, removeCopy } from './checkout-copy'
import { kill, Notes } from './kill'
import { drawn, type Mutant, printed } from './mutant'
import { mutantsOf } from './operators'
import { importersIn } from './reach'

/** The share of mutants that tests must notice. */
const goal = 0.95

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
  readonly say: (line: string) => void
}

/** What a run found. */
export interface Report {
  readonly area: string
  readonly sampled: number
  readonly killed: number
  readonly survivors: readonly Mutant[]
  readonly isGood: boolean
}

/** Every mutant of an area that is not accepted. */
export function mutantsIn(area: Area, root: string): Mutant[] {
  const files = filesOf(area, root)
  const mutants = files.flatMap((file) => mutantsOf(file, readFileSync(join(root, file), 'utf8')))
  return withoutAccepted(mutants, readAccepted())
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
  const copy = copyCheckout(root)
  const notes = new Notes(join(root, 'node_modules', '.cache', 'mutation'), asked.isFresh)
  const bench = {
    copy,
    importers: importersIn(copy),
    mostTests: asked.mostTests,
    budget: asked.budget,
    notes,
    kills: new Map(),
  }
  const survivors: Mutant[] = []
  let undecided = 0
  try {
    for (const [index, mutant] of sample.entries()) {
      const { outcome, by, tests } = await kill(bench, mutant)
      if (outcome === 'survived') survivors.push(mutant)
      if (outcome === 'undecided') undecided++
      const how = by ? `${outcome} by ${by}` : `SURVIVED ${tests.length} test files`
      say(`[${index + 1}/${sample.length}] ${how}: ${printed(mutant)}`)
    }
  } finally {
    removeCopy(copy)
  }
  const decided = sample.length - undecided
  const killed = decided - survivors.length
  const share = decided === 0 ? 1 : killed / decided
  say(`${area.name}: ${killed} of ${decided} killed (${(share * 100).toFixed(1)} %), seed ${asked.seed}`)
  if (undecided > 0) say(`  ${undecided} undecided: the machine was too busy`)
  for (const mutant of survivors) say(`  survivor ${printed(mutant)}`)
  return {
    area: area.name,
    sampled: decided,
    killed,
    survivors,
    isGood: share >= goal && stale.length === 0,
  }
}
