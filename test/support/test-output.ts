/** Numbers of tests. */
interface Counts {
  readonly pass: number
  readonly fail: number
  readonly skip: number
}

/** A test that failed, or a file that ended otherwise. */
interface Failure {
  readonly file: string
  readonly what: string
}

/** What one `bun test` said. */
export interface TestOutput {
  readonly counts: Counts
  /** The same for each file, counted from the lines of its tests. */
  readonly byFile: Readonly<Record<string, Counts>>
  readonly expects: number
  /** The files whose tests are in the output. */
  readonly files: readonly string[]
  readonly failed: readonly Failure[]
  readonly skipped: readonly string[]
}

/** What one `bun test` said, and the code it ended with. */
export interface Outcome extends TestOutput {
  readonly code: number
}

/** Reads the output of `bun test`, of files side by side or one after another. */
function readOutput(output: string): TestOutput {
  const lines = Bun.stripANSI(output).split('\n')
  const failed = new Map<string, Failure>()
  const skipped = new Set<string>()
  const byFile: Record<string, Counts> = {}
  const files = new Set<string>()
  let file = ''
  const fail = (failure: Failure) => failed.set(`${failure.file}: ${failure.what}`, failure)
  for (const line of lines) {
    const header = /^(\S+\.test\.tsx?):$/.exec(line)?.[1]?.replace(/^\.\//, '')
    // What follows are lists of what was printed above.
    if (/^\d+ tests? (failed|skipped):$/.test(line)) file = ''
    if (header) {
      file = header
      files.add(file)
      byFile[file] ??= { pass: 0, fail: 0, skip: 0 }
    }
    const [, crashed, how = ''] = /^✗ (?:\.\/)?(\S+\.test\.tsx?) (.*)$/.exec(line) ?? []
    if (crashed) {
      fail({ file: crashed, what: how })
      // `bun test` counts the whole file as one failure.
      byFile[crashed] = { pass: 0, fail: 1, skip: 0 }
    }
    const counts = byFile[file]
    if (!counts) continue
    const [, ended, name = ''] = /^\((pass|fail|skip)\) (.*)$/.exec(line) ?? []
    if (ended) byFile[file] = { ...counts, [ended]: counts[ended as keyof Counts] + 1 }
    if (ended === 'fail') fail({ file, what: name })
    if (ended === 'skip') skipped.add(`${file}: ${name}`)
    if (line.startsWith('# Unhandled error between tests')) fail({ file, what: 'an error between tests' })
  }
  const counted = (form: RegExp) => Number(lines.findLast((line) => form.test(line))?.match(/\d+/)?.[0] ?? 0)
  return {
    counts: {
      pass: counted(/^ *\d+ pass$/),
      fail: counted(/^ *\d+ fail$/),
      skip: counted(/^ *\d+ skip$/),
    },
    byFile,
    expects: counted(/^ *\d+ expect\(\) calls$/),
    files: [...files],
    failed: [...failed.values()],
    skipped: [...skipped],
  }
}

/** Reads what a `bun test` of these files said. If one file ended in silence, that is its failure. */
export function readOutcome(files: readonly string[], code: number, output: string): Outcome {
  const read = readOutput(output)
  const [file = ''] = files
  const isSilent = code !== 0 || !/^Ran \d+ tests? across/m.test(Bun.stripANSI(output))
  if (files.length !== 1 || read.failed.length > 0 || !isSilent) return { code, ...read }
  return { code, ...read, failed: [{ file, what: `ended with code ${code} before its last test` }] }
}

interface Run {
  /** The files that were to run. */
  readonly files: readonly string[]
  readonly outcomes: readonly Outcome[]
  /** The second run of each file that failed in the first. */
  readonly again: ReadonlyMap<string, Outcome>
  readonly needs: Readonly<Record<string, { readonly how: string }>>
  readonly seconds: number
}

/** The end of a run: skipped tests by their reason, failing ones by name, and the counts as `bun test` prints them. */
export function closingLines({ files, outcomes, again, needs, seconds }: Run): {
  text: string
  isGood: boolean
} {
  const failed = [
    ...failuresOf(files, outcomes).filter(({ file }) => !again.has(file)),
    ...[...again].flatMap(([file, outcome]) => failuresOf([file], [outcome])),
  ]
  const passedAgain = [...again.keys()].filter((file) => !failed.some((failure) => failure.file === file))
  const sum = (of: (outcome: Outcome) => number) => outcomes.reduce((total, each) => total + of(each), 0)
  const count = (what: keyof Counts) =>
    sum(({ counts }) => counts[what]) +
    // The second run of a file replaces the first.
    [...again].reduce(
      (total, [file, outcome]) =>
        total + outcome.counts[what] - sum(({ byFile }) => byFile[file]?.[what] ?? 0),
      0,
    )
  const isExplained = [...outcomes, ...again.values()].every(
    ({ code, counts, failed: named }) => named.length > 0 || (code === 0 && counts.fail === 0),
  )
  const isGood = failed.length === 0 && isExplained && count('fail') === 0
  // Errors outside of tests are not among the tests that `bun test` counts.
  const fail = Math.max(count('fail'), failed.length, isGood ? 0 : 1)
  const tests = count('pass') + count('fail') + count('skip')
  const skips = skipsByReason(
    outcomes.flatMap((outcome) => outcome.skipped),
    needs,
  )
  const text = [
    '',
    ...(skips.length > 0 ? ['Skipped:', ...skips, ''] : []),
    ...(failed.length > 0
      ? ['Failed:', ...failed.map((one) => `  (fail) ${one.file}: ${one.what}`), '']
      : []),
    ...againLines(passedAgain, failuresOf(files, outcomes)),
    ` ${count('pass')} pass`,
    ` ${count('skip')} skip`,
    ` ${fail} fail`,
    ` ${sum(({ expects }) => expects)} expect() calls`,
    `Ran ${tests} tests across ${ranFiles(outcomes).size} files. [${seconds.toFixed(2)}s]`,
  ].join('\n')
  return { text, isGood }
}

/** How many files of a run can fail and pass when they run again. More are a failure of the run. */
const againMax = 3

/** The same for files that share a server with others: one that stops for ten seconds fails all of them at once. */
const againMaxOfServer = 20

/** Returns the files that failed and run again: all of them, or none if there are too many. `usesServer` says which share a server. */
export function filesToRunAgain(
  files: readonly string[],
  outcomes: readonly Outcome[],
  usesServer: (file: string) => boolean,
): string[] {
  const failed = [...new Set(failuresOf(files, outcomes).map(({ file }) => file))]
  const own = failed.filter((file) => !usesServer(file)).length
  if (own > againMax || failed.length - own > againMaxOfServer) return []
  return failed.filter((file) => files.includes(file))
}

const ranFiles = (outcomes: readonly Outcome[]) => new Set(outcomes.flatMap((outcome) => outcome.files))

function failuresOf(files: readonly string[], outcomes: readonly Outcome[]): Failure[] {
  const ran = ranFiles(outcomes)
  const failed = outcomes.flatMap((outcome) => outcome.failed)
  const missing = files.filter((file) => !ran.has(file) && !failed.some((failure) => failure.file === file))
  return [...failed, ...missing.map((file) => ({ file, what: 'did not run' }))]
}

/** `.ci/run` reads the count. */
function againLines(passedAgain: readonly string[], failures: readonly Failure[]): string[] {
  if (passedAgain.length === 0) return []
  const firstFailures = (file: string) =>
    failures.filter((failure) => failure.file === file).map(({ what }) => `    ${what}`)
  return [
    '!! Passed only when run again. Each is a test that can fail by chance: fix it.',
    ...passedAgain.flatMap((file) => [`  ${file}:`, ...firstFailures(file)]),
    ` ${passedAgain.length} ${passedAgain.length === 1 ? 'file' : 'files'} passed only when run again`,
    '',
  ]
}

function skipsByReason(skipped: readonly string[], needs: Run['needs']): string[] {
  const tests = new Map<string, number>()
  for (const line of skipped) {
    const reason = /\(needs ([^()]+)\)/.exec(line)?.[1] ?? 'a reason that is not said'
    tests.set(reason, (tests.get(reason) ?? 0) + 1)
  }
  const howOf = (reason: string) =>
    reason
      .split(', ')
      .map((name) => needs[name]?.how ?? name)
      .join('; ')
  return [...tests].map(([reason, count]) => `  ${count} for want of ${reason}. To have it: ${howOf(reason)}`)
}
