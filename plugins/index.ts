import leads from './leads'
import traffic from './traffic'

/** What ships in the box. */
export const builtin = [traffic, leads] as const
