import { describe, test } from 'bun:test'
import { type NeedName, needs } from './needs-table'

export { type NeedName, needs } from './needs-table'

/** `test`, or where something is missing a `test` that is skipped, counted and bears the reason in its name. */
export const testWith = (...names: readonly NeedName[]): typeof test => runnerFor(test, names)

/** `describe`, or where something is missing a `describe` whose tests are all skipped, counted and bear the reason. */
export const describeWith = (...names: readonly NeedName[]): typeof describe => runnerFor(describe, names)

function runnerFor<T extends typeof test | typeof describe>(runner: T, names: readonly NeedName[]): T {
  const missing = names.filter((name) => !needs[name].isThere())
  if (missing.length === 0) return runner
  if (process.env.RENOWN_TOOLS === 'required') for (const name of missing) failWithout(name)
  return skipped(runner, missing.join(', ')) as T
}

/** Registers a failing test where a need should have been installed. */
function failWithout(name: NeedName): void {
  const { how, isInstallable } = needs[name]
  if (!isInstallable) return
  test(`${name} is installed`, () => {
    throw new Error(`${name} is missing. To have it: ${how}.`)
  })
}

type Register = (name: string, ...rest: readonly unknown[]) => unknown

function skipped(runner: typeof test | typeof describe, reason: string): unknown {
  const skip = runner.skip as unknown as Register & { each(rows: unknown): Register }
  const named =
    (register: Register): Register =>
    (name, ...rest) =>
      register(`${name} (needs ${reason})`, ...rest)
  const all = named(skip)
  return Object.assign(all, { concurrent: all, each: (rows: unknown) => named(skip.each(rows)) })
}
