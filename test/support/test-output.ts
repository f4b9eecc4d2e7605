/** What one `bun test` said. */
export interface TestOutput {
  readonly counts: { readonly pass: number; readonly fail: number; readonly skip: number }
  readonly expects: number
  /** The files whose tests are in the output. */
  readonly files: readonly string[]
  /** A line for each test that failed, and for each file that ended otherwise, with the file before it. */
  readonly failed: readonly string[]
  readonly skipped: readonly string[]
}

/** What one `bun test` said, and the code it ended with. */
export interface Outcome extends TestOutput {
  readonly code: number
}

/** Reads the output of `bun test`, of files side by side or one after another. */
export function readOutput(output: string): TestOutput {
  const lines = Bun.stripANSI(output).split('\n')
  const files: string[] = []
  const failed = new Set<string>()
  const skipped = new Set<string>()
  let file = ''
  for (const line of lines) {
    const header = /^(\S+\.test\.tsx?):$/.exec(line)?.[1]?.replace(/^\.\//, '')
    // What follows are lists of what was printed above.
    if (/^\d+ tests? (failed|skipped):$/.test(line)) file = ''
    if (header) {
      file = header
      files.push(header)
    }
    const crashed = /^✗ (\S+\.test\.tsx?) (.*)$/.exec(line)
    if (crashed) failed.add(`${crashed[1]}: ${crashed[2]}`)
    if (file === '') continue
    if (line.startsWith('(fail) ')) failed.add(`${file}: ${line.slice(7)}`)
    if (line.startsWith('(skip) ')) skipped.add(`${file}: ${line.slice(7)}`)
    if (line.startsWith('# Unhandled error between tests')) failed.add(`${file}: an error between tests`)
  }
  const counted = (form: RegExp) => Number(lines.findLast((line) => form.test(line))?.match(/\d+/)?.[0] ?? 0)
  return {
    counts: {
      pass: counted(/^ *\d+ pass$/),
      fail: counted(/^ *\d+ fail$/),
      skip: counted(/^ *\d+ skip$/),
    },
    expects: counted(/^ *\d+ expect\(\) calls$/),
    files: [...new Set(files)],
    failed: [...failed],
    skipped: [...skipped],
  }
}

interface Run {
  /** The files that were to run. */
  readonly files: readonly string[]
  readonly outcomes: readonly Outcome[]
  readonly needs: Readonly<Record<string, { readonly how: string }>>
  readonly seconds: number
}

/** The end of a run: skipped tests by their reason, failing ones by name, and the counts as `bun test` prints them. */
export function closingLines({ files, outcomes, needs, seconds }: Run): { text: string; isGood: boolean } {
  const ran = new Set(outcomes.flatMap((outcome) => outcome.files))
  const missing = files.filter((file) => !ran.has(file))
  const failed = [
    ...outcomes.flatMap((outcome) => outcome.failed),
    ...missing.map((file) => `${file}: did not run`),
  ]
  const sum = (of: (outcome: Outcome) => number) => outcomes.reduce((total, each) => total + of(each), 0)
  const skip = sum(({ counts }) => counts.skip)
  const isGood = failed.length === 0 && outcomes.every(({ code, counts }) => code === 0 && counts.fail === 0)
  // Errors outside of tests are not among the tests that `bun test` counts.
  const fail = Math.max(
    sum(({ counts }) => counts.fail),
    failed.length,
    isGood ? 0 : 1,
  )
  const tests = sum(({ counts }) => counts.pass + counts.fail + counts.skip)
  const skips = skipsByReason(
    outcomes.flatMap((outcome) => outcome.skipped),
    needs,
  )
  const text = [
    '',
    ...(skips.length > 0 ? ['Skipped:', ...skips, ''] : []),
    ...(failed.length > 0 ? ['Failed:', ...failed.map((line) => `  (fail) ${line}`), ''] : []),
    ` ${sum(({ counts }) => counts.pass)} pass`,
    ` ${skip} skip`,
    ` ${fail} fail`,
    ` ${sum(({ expects }) => expects)} expect() calls`,
    `Ran ${tests} tests across ${ran.size} files. [${seconds.toFixed(2)}s]`,
  ].join('\n')
  return { text, isGood }
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
