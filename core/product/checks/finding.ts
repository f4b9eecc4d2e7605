/** One check: what it found, and what to do when something is wrong. */
export interface Check {
  readonly name: string
  readonly status: 'ok' | 'warn' | 'fail'
  readonly found: string
  readonly mend?: string
}

/** The result of a check. The list of checks adds its name. */
export type Finding = Omit<Check, 'name'>
