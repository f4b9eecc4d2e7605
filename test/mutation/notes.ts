import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Baseline, hashOf } from './coverage'

/**
 * What became of a mutant. `undecided` means that the machine was too busy to say. `by` is the test file that failed
 * first; `tests` are those that ran.
 */
export interface Verdict {
  readonly outcome: 'killed' | 'survived' | 'undecided'
  readonly by?: string
  readonly tests: readonly string[]
}

/** A verdict with a hash of the tests that could have run: a survivor is tried again when there are others. */
export type NotedVerdict = Verdict & { readonly state: string }

/**
 * Notes of earlier runs: verdicts, what each test file reaches, and the texts of the files that it reached. A run that was
 * stopped goes on, and a later one knows which tests to run.
 */
export class Notes {
  readonly #verdicts = new Map<string, NotedVerdict>()
  readonly #baselines = new Map<string, Baseline>()
  readonly #texts = new Map<string, string>()
  readonly #reaching = new Map<string, Set<string>>()
  readonly #path: string

  constructor(folder: string, isFresh: boolean) {
    mkdirSync(folder, { recursive: true })
    this.#path = join(folder, 'notes-3.jsonl')
    if (isFresh) writeFileSync(this.#path, '')
    if (!existsSync(this.#path)) return
    for (const line of readFileSync(this.#path, 'utf8').split('\n')) {
      if (!line.endsWith('}')) continue
      const { key, verdict, baseline, text } = JSON.parse(line)
      if (verdict) this.#verdicts.set(key, verdict)
      if (baseline) this.#remember(key, baseline)
      if (text !== undefined) this.#texts.set(key, text)
    }
  }

  /** The test files that were seen to run lines of a file, whether they are near or not. */
  testsOf(file: string): string[] {
    return [...(this.#reaching.get(file) ?? [])].sort()
  }

  verdict = (key: string) => this.#verdicts.get(key)
  baseline = (test: string, hash: string) => this.#baselines.get(`${test} ${hash}`)

  /** The text of a file that had this hash when a test was measured. */
  text = (hash: string) => this.#texts.get(hash)

  noteVerdict(key: string, verdict: NotedVerdict) {
    this.#verdicts.set(key, verdict)
    this.#append({ key, verdict })
  }

  /** Notes what a test reaches. `textOf` reads the files that it reached. */
  noteBaseline(test: string, hash: string, baseline: Baseline, textOf: (file: string) => string) {
    const key = `${test} ${hash}`
    this.#remember(key, baseline)
    // A test that fails without a change proves nothing in this run, but it may pass in the next.
    if (!baseline.passed) return
    for (const [file, reached] of Object.entries(baseline.reached)) {
      if (this.#texts.has(reached.hash)) continue
      const text = textOf(file)
      if (hashOf(text) !== reached.hash) continue
      this.#texts.set(reached.hash, text)
      this.#append({ key: reached.hash, text })
    }
    this.#append({ key, baseline })
  }

  #remember(key: string, baseline: Baseline) {
    this.#baselines.set(key, baseline)
    const [test = ''] = key.split(' ')
    for (const file of Object.keys(baseline.reached)) {
      const tests = this.#reaching.get(file) ?? new Set()
      this.#reaching.set(file, tests.add(test))
    }
  }

  #append(line: object) {
    appendFileSync(this.#path, `${JSON.stringify(line)}\n`)
  }
}
