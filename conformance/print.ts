import type { Report } from '.'
import type { CheckResult } from './proof'

const labels: Readonly<Record<CheckResult['status'], string>> = {
  held: 'holds',
  broken: 'BROKEN',
  unproven: 'not proved',
  'not run': 'NOT RUN',
}

/** Returns the lines of one check. */
export function linesOf({ id, promise, status, facts, faults, unproven }: CheckResult): string[] {
  const counted = facts > 0 ? ` (${facts} facts)` : ''
  return [
    `${labels[status].padEnd(11)}${id.padEnd(20)}${promise}${counted}`,
    ...faults.map((fault) => `             - ${oneLine(fault)}`),
    ...unproven.map((why) => `             . not proved: ${oneLine(why)}`),
  ]
}

/** Returns the last lines of a report. */
export function endOf({ outcome, reason, checks, requests, url }: Report): string[] {
  const count = (status: CheckResult['status']) => checks.filter((check) => check.status === status).length
  const sums = `${count('held')} hold, ${count('broken')} broken, ${count('unproven')} not proved, ${count('not run')} not run; ${requests} requests`
  if (outcome === 'cannot run')
    return [`${url} could not be tested: ${reason ?? 'it stopped answering, or no check ran'} (${sums})`]
  return [
    `${url}: ${outcome === 'held' ? 'every promise that was tested holds' : 'promises are broken'}: ${sums}`,
  ]
}

/** Returns a text without control characters, because an installation under test is not trusted. */
const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ').slice(0, 400)
