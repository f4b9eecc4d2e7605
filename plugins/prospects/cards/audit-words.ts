import type { Audit } from '../records/auditStatus'

/** How far an audit is, in words. */
export function auditWords(audit: Pick<Audit, 'status' | 'score'> | null): string {
  if (!audit) return 'not audited yet'
  const { status, score } = audit
  if (status === 'completed') return score === undefined ? 'done, without a score' : `${score} of 100`
  return Object.hasOwn(words, status) ? (words[status] ?? status) : status
}

const words: Readonly<Record<string, string>> = {
  queued: 'waiting for its turn',
  running: 'under way',
  failed: 'failed',
}

/** Whether an audit waits or runs: it cannot be asked for again before it ended. */
export const isAuditOpen = (audit: Audit | null): boolean =>
  audit !== null && audit.status !== 'completed' && audit.status !== 'failed'
