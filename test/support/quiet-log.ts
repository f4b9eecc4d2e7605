import type { Log } from '../../core/contracts/plugin'

const nothing = () => undefined

/** A log that says nothing. */
export const quietLog: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing }
