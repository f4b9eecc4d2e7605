/**
 * Keeps `expect(promise).rejects` and `.resolves` from sleeping. Bun 1.4.5 runs the event loop inside the matcher. If a
 * `setImmediate` callback settles the promise there, Bun still sleeps until the next timer, for about 300 ms on a quiet
 * machine and seconds on a busy one. A timer after each such callback ends this sleep. Loaded before every test file, by
 * bunfig.toml.
 */
const { setImmediate: immediate, setTimeout: timeout } = globalThis
let isArmed = false

function wakeLoop(): void {
  if (isArmed) return
  isArmed = true
  timeout(() => {
    isArmed = false
  }, 1)
}

globalThis.setImmediate = Object.assign(
  (callback: (...given: unknown[]) => void, ...given: unknown[]) =>
    immediate(() => {
      wakeLoop()
      callback(...given)
    }),
  immediate,
) as typeof setImmediate
