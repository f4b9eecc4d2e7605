import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * One place decides whether an error uses up an attempt: core/contracts/service-fault.ts. A job that counts by itself would count the
 * outages of our own stores against a platform or its owner.
 */
const root = join(import.meta.dir, '../../..')
const sources = [...new Bun.Glob('{plugins,core}/**/*.{ts,tsx}').scanSync({ cwd: root })]
  .filter((path) => !/^core\/(jobs|stores|contracts)\/|\/(pages|demo)\//.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

/** Reads the number of an attempt of a job. */
const readsAttempt = /\btask\.attempt\b|\{[^{}]*\battempt\b[^{}]*\}: (Readonly<)?(Task|Pick<Task)\b/
/** Raises a stored count of failures or attempts. */
const counts = /\b(error_count|failures|tries|attempts|refusals)\b[^\n=]{0,40}\+ 1\b/
const decides = /\b(throwIfStoreAway|usesAttempt|blameOf|isLastAttempt)\b/

/** Counts that no job of a queue and no task raises for an error, with the reason. */
const others: Readonly<Record<string, string>> = {
  'core/auth/people/attempts.ts': 'wrong passwords',
  'core/outbound/reach.ts': 'counts only faults of a service',
}

test('no job looks at the number of its attempt itself', () => {
  expect(sources.filter(({ text }) => readsAttempt.test(text)).map(({ path }) => path)).toEqual([])
})

test('whatever counts failures asks whose fault they are', () => {
  const counting = sources.filter(({ text }) => counts.test(text))
  expect(counting.length).toBeGreaterThan(5)
  const byHand = counting.filter(({ path, text }) => !decides.test(text) && !(path in others))
  expect(byHand.map(({ path }) => path)).toEqual([])
})
