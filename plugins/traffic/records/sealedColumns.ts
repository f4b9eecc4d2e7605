import type { countedFields } from './dailyRow'

/** The counted part of a row as the table holds it: lists and maps as JSON, ready to be sent. */
export const sealedColumns = (counted: ReturnType<typeof countedFields>) => ({
  ...counted,
  by_agent: JSON.stringify(counted.by_agent),
  by_category: JSON.stringify(counted.by_category),
  top_paths: JSON.stringify(counted.top_paths),
  paths_by_category: JSON.stringify(counted.paths_by_category),
  by_referrer: JSON.stringify(counted.by_referrer),
  referral_paths: JSON.stringify(counted.referral_paths),
})
