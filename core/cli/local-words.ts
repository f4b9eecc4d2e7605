/**
 * Commands that read or write files of the caller, or run for long at the caller. All others run inside the product, because
 * it has loaded the plugins already: that takes most of a second of processor time.
 */
const local: ReadonlySet<string> = new Set(['start', 'ship', 'log', 'data'])
const localRegistry: ReadonlySet<string> = new Set(['export', 'check', 'key', 'sign'])

/** Whether a command line must run in the process of its caller. */
export function isLocal(words: readonly string[]): boolean {
  const [first = '', second = ''] = words.filter((word) => !word.startsWith('-'))
  return local.has(first) || (first === 'registry' && localRegistry.has(second))
}
