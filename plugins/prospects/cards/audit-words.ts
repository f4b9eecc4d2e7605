import type { Audit } from '../records/auditStatus'

/** Describes the state of an audit. */
export function auditWords(audit: Pick<Audit, 'status' | 'score'> | null): string {
  if (!audit) return 'not audited yet'
  const { status, score } = audit
  if (status === 'completed') return score === undefined ? 'done, without a score' : `${score} of 100`
  return Object.hasOwn(words, status) ? (words[status] ?? status) : status
}

const words: Readonly<Record<string, string>> = {
  queued: 'waiting',
  running: 'under way',
  failed: 'failed',
}

/** Whether an audit waits or runs. A new one cannot start before it has ended. */
export const isAuditOpen = (audit: Audit | null): boolean =>
  audit !== null && audit.status !== 'completed' && audit.status !== 'failed'
