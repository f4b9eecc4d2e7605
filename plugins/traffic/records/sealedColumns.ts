import type { countedFields } from './dailyRow'

/** Returns the counts of a row as the table stores them: lists and maps as JSON, ready to send. */
export const sealedColumns = (counted: ReturnType<typeof countedFields>) => ({
  ...counted,
  verified_by: jsonOrNull(counted.verified_by),
  by_signer: jsonOrNull(counted.by_signer),
  by_agent: JSON.stringify(counted.by_agent),
  by_category: JSON.stringify(counted.by_category),
  top_paths: JSON.stringify(counted.top_paths),
  paths_by_category: JSON.stringify(counted.paths_by_category),
  crawler_errors: jsonOrNull(counted.crawler_errors),
  robots_check: jsonOrNull(counted.robots_check),
  agent_paths: jsonOrNull(counted.agent_paths),
  by_referrer: JSON.stringify(counted.by_referrer),
  referral_paths: JSON.stringify(counted.referral_paths),
})

const jsonOrNull = (value: unknown) => (value === undefined ? null : JSON.stringify(value))
