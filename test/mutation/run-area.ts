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
  /** Keeps mutants of files with this word in their path. */
  readonly word?: string | undefined
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
  const all = mutantsIn(area, root).filter(({ file }) => !asked.word || file.includes(asked.word))
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
  try {
    for (const [index, mutant] of sample.entries()) {
      const { outcome, by, tests } = await kill(bench, mutant)
      if (outcome === 'survived') survivors.push(mutant)
      const how = by ? `${outcome} by ${by}` : `SURVIVED ${tests.length} test files`
      say(`[${index + 1}/${sample.length}] ${how}: ${printed(mutant)}`)
    }
  } finally {
    removeCopy(copy)
  }
  const killed = sample.length - survivors.length
  const share = sample.length === 0 ? 1 : killed / sample.length
  say(
    `${area.name}: ${killed} of ${sample.length} killed (${(share * 100).toFixed(1)} %), seed ${asked.seed}`,
  )
  for (const mutant of survivors) say(`  survivor ${printed(mutant)}`)
  return {
    area: area.name,
    sampled: sample.length,
    killed,
    survivors,
    isGood: share >= goal && stale.length === 0,
  }
}
