import type { Log } from '../../core/contracts/plugin'

const nothing = () => undefined

/** A log that says nothing. */
export const quietLog: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing }

/**
 * A log that says only why a request failed in a way that nobody foresaw. Without it a test that gets 500 says nothing of the reason,
 * and a fault that depends on what else ran in the process never shows again.
 */
export const faultsLog: Log = {
  ...quietLog,
  error(message, { path, error } = {}) {
    if (message === unforeseen) process.stderr.write(`${message}: ${path} ${error}\n`)
  },
}

/** What the gateway logs of a request that it answers with 500. */
const unforeseen = 'a request failed'
