/** One thing that was looked at: what was found, and what to do where it is not right. */
export interface Check {
  readonly name: string
  readonly status: 'ok' | 'warn' | 'fail'
  readonly found: string
  readonly mend?: string
}

/** What a check found; the list of checks gives it its name. */
export type Finding = Omit<Check, 'name'>
