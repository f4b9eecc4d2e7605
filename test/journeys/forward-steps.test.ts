import { expect } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ForwardScript, withScript } from '../support/forward-script'
import { testWith } from '../support/needs'

const testScript = testWith('curl', 'flock')

/** Every program that the script runs. */
const programs =
  'curl cut find flock head ls cksum grep mkdir mv od sed sha256sum sync tail touch tr uname wc'.split(' ')

/** Stands before each program of the script: counts the call, and at one of them does what a test wants first. */
const step = `#!/bin/sh
echo >>"$STEPS/count"
PATH=\${PATH#*:}
if [ "$(wc -l <"$STEPS/count")" -ge "$STEP" ] && mv "$STEPS/armed" "$STEPS/done" 2>/dev/null; then . "$STEPS/fault"; fi
exec "\${0##*/}" "$@"
`

/** Prepares the steps of a script; resolves with its environment. */
function stepsOf({ folder }: ForwardScript, at: number, fault: string): Record<string, string> {
  const steps = join(folder, 'steps')
  mkdirSync(join(steps, 'bin'), { recursive: true })
  writeFileSync(join(steps, 'step'), step, { mode: 0o700 })
  for (const program of programs) symlinkSync('../step', join(steps, 'bin', program))
  writeFileSync(join(steps, 'armed'), '')
  writeFileSync(join(steps, 'fault'), fault)
  return { STEPS: steps, STEP: String(at), PATH: `${join(steps, 'bin')}:${process.env.PATH}` }
}

const faults: Readonly<Record<string, (log: string, line: string) => string>> = {
  'a kill': () => 'kill -9 0',
  'a renamed log': (log, line) => `mv ${log} ${log}.1; cat ${line} >${log}`,
  'a log that is copied and cut': (log, line) => `cp ${log} ${log}.1; cat ${line} >${log}`,
}

/** The quick run takes every fifth step, the long run takes all. */
const stride = process.env.RENOWN_LONG === '1' ? 1 : 5

for (const [name, faultOf] of Object.entries(faults)) {
  testScript(
    `${name} before any step of the script loses and repeats no line`,
    () =>
      withScript(async ({ another, fail, paths, total }) => {
        const expected: string[] = []
        /** Runs the script with a batch that waits for its answer, and with the fault at the step. Resolves with the steps. */
        async function walk(at: number): Promise<number> {
          const script = await another(`${at}`)
          const { folder, log, line, run } = script
          const later = join(folder, 'later')
          line(`/${at}/unanswered`)
          fail.push('503')
          expect(await run()).not.toBe(0)
          line(`/${at}/unsent`)
          line(`/${at}/later`, later)
          await run({ env: stepsOf(script, at, faultOf(log, later)) })
          line(`/${at}/last`)
          // A killed program of the last run may hold the lock for a moment.
          await Bun.spawn(['flock', join(folder, 'state/lock'), 'true']).exited
          expect(await run()).toBe(0)
          expected.push(`/${at}/unanswered`, `/${at}/unsent`, `/${at}/last`)
          if (existsSync(join(folder, 'steps/done')) && name !== 'a kill') expected.push(`/${at}/later`)
          return readFileSync(join(folder, 'steps/count'), 'utf8').length
        }
        const steps = await walk(1_000)
        expect(steps).toBeGreaterThan(30)
        for (let at = 1; at <= steps; at += stride) await walk(at)
        expect(await paths()).toEqual(expected.sort())
        expect(total('rejected')).toBe(0)
      }),
    120_000,
  )
}
