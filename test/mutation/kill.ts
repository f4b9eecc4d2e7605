import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runTestFile, type TestRun } from './checkout-copy'
import { type Baseline, hashOf, measure, reaches } from './coverage'
import { applied, type Mutant } from './mutant'
import { testsReaching } from './reach'

/**
 * What became of a mutant. `undecided` means that the machine was too busy to say. `by` is the test file that failed
 * first; `tests` are those that ran.
 */
export interface Verdict {
  readonly outcome: 'killed' | 'survived' | 'undecided'
  readonly by?: string
  readonly tests: readonly string[]
}

/** Where mutants are run, and what is already known. */
export interface Bench {
  readonly copy: string
  readonly importers: Map<string, Set<string>>
  /** So many of the nearest test files are measured, and those that reach a mutant run for so much CPU time in milliseconds. */
  readonly mostTests: number
  readonly budget: number
  readonly notes: Notes
  /** How many mutants of a file each test killed, by test and file. */
  readonly kills: Map<string, number>
}

/** Notes of earlier runs, so that a run that was stopped goes on. */
export class Notes {
  readonly #verdicts = new Map<string, Verdict & { readonly state: string }>()
  readonly #baselines = new Map<string, Baseline>()
  readonly #path: string

  constructor(folder: string, isFresh: boolean) {
    mkdirSync(folder, { recursive: true })
    this.#path = join(folder, 'notes.jsonl')
    if (isFresh) writeFileSync(this.#path, '')
    if (!existsSync(this.#path)) return
    for (const line of readFileSync(this.#path, 'utf8').split('\n')) {
      if (!line.endsWith('}')) continue
      const { key, verdict, baseline } = JSON.parse(line)
      if (verdict) this.#verdicts.set(key, verdict)
      if (baseline) this.#baselines.set(key, baseline)
    }
  }

  /** The test files that were seen to run lines of a file, whether they are near or not. */
  testsOf(file: string): string[] {
    const reaching = [...this.#baselines].filter(([, { reached }]) => reached[file])
    return [...new Set(reaching.map(([key]) => key.split(' ')[0] as string))].sort()
  }

  verdict = (key: string) => this.#verdicts.get(key)
  baseline = (key: string) => this.#baselines.get(key)

  noteVerdict(key: string, verdict: Verdict & { readonly state: string }) {
    this.#verdicts.set(key, verdict)
    appendFileSync(this.#path, `${JSON.stringify({ key, verdict })}\n`)
  }

  noteBaseline(key: string, baseline: Baseline) {
    this.#baselines.set(key, baseline)
    // A test that fails without a change proves nothing in this run, but it may pass in the next.
    if (baseline.passed) appendFileSync(this.#path, `${JSON.stringify({ key, baseline })}\n`)
  }
}

/** Runs the tests that reach a mutant until one fails. A kill is remembered while the file stays the same. */
export async function kill(bench: Bench, mutant: Mutant): Promise<Verdict> {
  const { copy, notes } = bench
  const path = join(copy, mutant.file)
  const key = [mutant.file, hashOf(path), mutant.start, mutant.end, mutant.replacement].join(' ')
  const nearest = testsReaching(mutant.file, bench.importers, bench.mostTests)
  const seen = notes.testsOf(mutant.file).filter((test) => existsSync(join(copy, test)))
  const near = [...new Set([...nearest, ...seen])]
  const state = Bun.hash(near.map((test) => hashOf(join(copy, test))).join(' ')).toString(36)
  const known = notes.verdict(key)
  if (known && (known.outcome !== 'survived' || known.state === state)) return known
  const verdict = await runThrough(bench, mutant, near, readFileSync(path, 'utf8'))
  if (verdict.outcome !== 'undecided') notes.noteVerdict(key, { ...verdict, state })
  return verdict
}

/** A test that takes more CPU time than this runs after all others. */
const slowMs = 8_000

/**
 * Runs the tests that reach the mutant's lines until one fails or the budget is used: the most promising first, slow ones
 * last. A test that no longer fits the budget does not keep cheaper ones from running.
 */
async function runThrough(
  bench: Bench,
  mutant: Mutant,
  near: readonly string[],
  text: string,
): Promise<Verdict> {
  const ran: string[] = []
  let spent = 0
  const fails = async (test: string, { cpu }: Baseline): Promise<Verdict | null> => {
    if (ran.length > 0 && spent + cpu > bench.budget) return null
    spent += cpu
    ran.push(test)
    const outcome = await triedBy(bench, mutant, text, test, cpu)
    if (outcome === 'survived') return null
    bench.kills.set(`${test} ${mutant.file}`, (bench.kills.get(`${test} ${mutant.file}`) ?? 0) + 1)
    return { outcome, by: test, tests: ran }
  }
  const slow: (readonly [string, Baseline])[] = []
  for (const test of promising(bench, mutant.file, near)) {
    const baseline = await baselineOf(bench, test, mutant.file)
    if (!baseline.passed) continue
    if (!reaches(baseline, mutant) && !isOfFolder(test, mutant.file)) continue
    if (baseline.cpu > slowMs) slow.push([test, baseline])
    else {
      const verdict = await fails(test, baseline)
      if (verdict) return verdict
    }
  }
  for (const [test, baseline] of slow.sort(([, a], [, b]) => a.cpu - b.cpu)) {
    const verdict = await fails(test, baseline)
    if (verdict) return verdict
  }
  return { outcome: 'survived', tests: ran }
}

/** Coverage says nothing of workers and child processes: the tests of a file's own folder run whatever it says. */
const isOfFolder = (test: string, file: string) => dirname(test) === join('test', dirname(file))

/** A run that only the clock ended is tried so often. */
const triesOfLate = 3

/**
 * What one test file says of a mutant. A run that only the clock ended counts as a kill if the test passes right
 * afterwards without the mutant.
 */
async function triedBy(
  { copy }: Bench,
  mutant: Mutant,
  text: string,
  test: string,
  cpu: number,
): Promise<Verdict['outcome']> {
  const path = join(copy, mutant.file)
  const limits = { cpu: cpu * 4 + 15_000, wall: cpu * 20 + 120_000 }
  for (let tries = 0; tries < triesOfLate; tries++) {
    writeFileSync(path, applied(text, mutant))
    let outcome: TestRun['outcome']
    try {
      ;({ outcome } = await runTestFile(copy, test, limits))
    } finally {
      writeFileSync(path, text)
    }
    if (outcome === 'passed') return 'survived'
    if (outcome !== 'late') return 'killed'
    const whole = await runTestFile(copy, test, limits)
    if (whole.outcome === 'passed') return 'killed'
  }
  return 'undecided'
}

/** The nearest test first, then those that killed the most mutants of the file, then by nearness. */
function promising({ kills }: Bench, file: string, near: readonly string[]): string[] {
  const killsOf = (test: string) => kills.get(`${test} ${file}`) ?? 0
  const [nearest, ...others] = near
  return nearest ? [nearest, ...others.sort((a, b) => killsOf(b) - killsOf(a))] : []
}

async function baselineOf({ copy, notes }: Bench, test: string, file: string): Promise<Baseline> {
  const key = `${test} ${hashOf(join(copy, test))}`
  const known = notes.baseline(key)
  const reached = known?.reached[file]
  if (known && (!reached || reached.hash === hashOf(join(copy, file)))) return known
  const baseline = await measure(copy, test)
  notes.noteBaseline(key, baseline)
  return baseline
}
