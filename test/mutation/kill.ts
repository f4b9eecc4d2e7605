import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Baseline, hashOf, reaches, runCovered, unknownLimits } from './coverage'
import { applied, type Mutant } from './mutant'
import type { Notes, Verdict } from './notes'
import { testsReaching } from './reach'
import { type Limits, mostMemory, runTestFile, type TestRun } from './test-run'
import { typeChecks } from './types'

/** Where mutants are run, and what is already known. */
export interface Bench {
  readonly copy: string
  readonly importers: Map<string, Set<string>>
  /** So many of the nearest test files are measured. Of those that reach a mutant, so many CPU milliseconds are run. */
  readonly mostTests: number
  readonly budget: number
  readonly notes: Notes
  /** How many mutants of a file each test killed, by test and file. */
  readonly kills: Map<string, number>
}

/** A test file that may notice a mutant. */
interface Candidate {
  readonly test: string
  readonly baseline: Baseline
}

/** Runs the tests that reach a mutant until one fails, and then the types. A kill is remembered while the file stays the same. */
export async function kill(bench: Bench, mutant: Mutant): Promise<Verdict> {
  const { copy, notes } = bench
  const text = readFileSync(join(copy, mutant.file), 'utf8')
  const key = [mutant.file, hashOf(text), mutant.start, mutant.end, mutant.replacement].join(' ')
  const near = testsNear(bench, mutant.file)
  const state = hashOf(near.map((test) => hashOf(readFileSync(join(copy, test)))).join(' '))
  const known = notes.verdict(key)
  if (known && (known.outcome !== 'survived' || known.state === state)) return known
  const tested = await runThrough(bench, mutant, near, text)
  const verdict = tested.outcome === 'survived' ? await triedByTypes(bench, mutant, text, tested) : tested
  if (verdict.outcome !== 'undecided') notes.noteVerdict(key, { ...verdict, state })
  return verdict
}

/** The nearest test files of a file, and others that were seen to run it. */
export function testsNear({ copy, importers, mostTests, notes }: Bench, file: string): string[] {
  const nearest = testsReaching(file, importers, mostTests)
  const seen = notes.testsOf(file).filter((test) => existsSync(join(copy, test)))
  return [...new Set([...nearest, ...seen])]
}

/** A test that takes more CPU time than this runs after all others. */
const slowMs = 3_000

/**
 * Runs the tests that reach the mutant's lines until one fails or the budget is used. The nearest comes first, because it
 * most often knows. Then come those that killed other mutants of the file, then the others, slow ones last. A test that no
 * longer fits the budget does not keep cheaper ones from running.
 */
async function runThrough(
  bench: Bench,
  mutant: Mutant,
  near: readonly string[],
  text: string,
): Promise<Verdict> {
  const ran: string[] = []
  let spent = 0
  let isSure = true
  const isKilledBy = async ({ test, baseline }: Candidate): Promise<boolean> => {
    if (ran.length > 0 && spent + baseline.cpu > bench.budget) return false
    spent += baseline.cpu
    ran.push(test)
    const outcome = await triedBy(bench, mutant, text, { test, baseline })
    if (outcome === 'undecided') isSure = false
    return outcome === 'killed'
  }
  const kills = (test: string) => bench.kills.get(`${test} ${mutant.file}`) ?? 0
  const killedBy = (test: string): Verdict => {
    bench.kills.set(`${test} ${mutant.file}`, kills(test) + 1)
    return { outcome: 'killed', by: test, tests: ran }
  }
  const later: Candidate[] = []
  const [nearest, ...others] = near
  const byKills = others.sort((a, b) => kills(b) - kills(a))
  for (const test of nearest ? [nearest, ...byKills] : []) {
    const baseline = await baselineOf(bench, test)
    if (!baseline) isSure = false
    if (!baseline?.passed || !isReached(bench, mutant, text, { test, baseline })) continue
    const candidate = { test, baseline }
    if (baseline.cpu > slowMs && test !== nearest) later.push(candidate)
    else if (await isKilledBy(candidate)) return killedBy(test)
  }
  for (const candidate of later.sort((a, b) => a.baseline.cpu - b.baseline.cpu))
    if (await isKilledBy(candidate)) return killedBy(candidate.test)
  return { outcome: isSure ? 'survived' : 'undecided', tests: ran }
}

/** Coverage says nothing of workers and child processes: the tests of a file's own folder run whatever it says. */
function isReached({ notes }: Bench, mutant: Mutant, text: string, { test, baseline }: Candidate): boolean {
  if (dirname(test) === join('test', dirname(mutant.file))) return true
  const measured = notes.text(baseline.reached[mutant.file]?.hash ?? '')
  return reaches(baseline, mutant, text, measured)
}

/** A run that only time limits ended is tried so often. */
const triesOfLate = 3

const limitsOf = ({ cpu, memory }: Baseline): Limits => ({
  cpu: cpu * 4 + 10_000,
  memory: Math.min(mostMemory, memory * 2 + 500_000_000),
})

/**
 * What one test file says of a mutant. A run that only time limits ended counts as a kill if the test passes right
 * afterwards without the mutant.
 */
async function triedBy(
  { copy }: Bench,
  mutant: Mutant,
  text: string,
  { test, baseline }: Candidate,
): Promise<Verdict['outcome']> {
  const path = join(copy, mutant.file)
  const limits = limitsOf(baseline)
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

/** `bun run check` types everything, so that a change which the types refuse is noticed, as long as the rest is right. */
async function triedByTypes(
  { copy }: Bench,
  mutant: Mutant,
  text: string,
  survived: Verdict,
): Promise<Verdict> {
  const path = join(copy, mutant.file)
  writeFileSync(path, applied(text, mutant))
  let isRight: boolean
  try {
    isRight = await typeChecks(copy)
  } finally {
    writeFileSync(path, text)
  }
  if (isRight || !(await typeChecks(copy))) return survived
  return { outcome: 'killed', by: 'the types', tests: survived.tests }
}

/** What a test reaches, from the notes or from a run. Null where the machine was too busy to say. */
export async function baselineOf({ copy, notes }: Bench, test: string): Promise<Baseline | null> {
  const textOf = (file: string) => readFileSync(join(copy, file), 'utf8')
  const hash = hashOf(textOf(test))
  const known = notes.baseline(test, hash)
  if (known) return known
  for (let tries = 0; tries < triesOfLate; tries++) {
    const { outcome, cpu, memory, reached } = await runCovered(copy, test, unknownLimits, textOf)
    if (outcome === 'late') continue
    const baseline = { passed: reached !== null, cpu, memory, reached: reached ?? {} }
    notes.noteBaseline(test, hash, baseline, textOf)
    return baseline
  }
  return null
}
