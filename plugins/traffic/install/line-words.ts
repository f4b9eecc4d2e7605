import type { ReasonCount, SiteSignals } from 'renown/traffic'
import { formatCount } from 'renown/web'

type Lines = SiteSignals['lines']

/** Returns how many lines of a site’s log had each outcome. */
export const lineCounts = ({ accepted, ignored, rejected, duplicate }: Lines): string =>
  `${accepted} counted, ${ignored} ignored, ${rejected} unreadable${duplicate > 0 ? `, ${duplicate} counted before` : ''}`

/** The words before a reason. Ignored lines are no faults. */
const kinds: Readonly<Partial<Record<ReasonCount['outcome'], string>>> = {
  rejected: 'unreadable',
  unchecked: 'unchecked',
  dated: 'with the time of arrival',
  signed: 'with a signature that was not checked again',
  repeated: 'counted, but doubtful',
  duplicate: 'not counted',
}

/** Returns what is wrong with the lines of a log, by reason. */
export const lineFaults = ({ by_reason }: Pick<Lines, 'by_reason'>): string[] =>
  by_reason.flatMap(({ outcome, reason, lines }) => {
    const kind = kinds[outcome]
    return kind === undefined ? [] : [`${lines} ${kind}: ${reason}`]
  })

/** Returns why bodies of a log were refused as a whole. Each reason is a sentence. */
export const bodyFaults = ({ refused_bodies = [] }: Pick<SiteSignals, 'refused_bodies'>): string[] =>
  refused_bodies.map(({ reason, bodies }) => `${formatCount(bodies, 'batch', 'batches')} refused: ${reason}`)
