import type { Row } from 'renown'
import type { Mention } from '../records/Mention'

type Removal = Pick<Row<typeof Mention>, 'removal_rule' | 'removed_at_source_at'>

/** The rule under which a mention lost its text, or the mark that its post is gone. Null if neither. */
export const removedBy = ({ removal_rule, removed_at_source_at }: Removal): string | null =>
  removal_rule ?? (removed_at_source_at === undefined ? null : 'removed_at_source')

/** Returns sentences that say how many rows each rule changed. */
export const removedNotes = (counts: ReadonlyMap<string, number>): string[] =>
  [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([rule, count]) =>
      rule === 'removed_at_source'
        ? `${count.toLocaleString('en')} of the mentions are marked as removed at the source.`
        : rule === 'erased'
          ? `${count.toLocaleString('en')} of the mentions have no text: their authors were erased.`
          : `${count.toLocaleString('en')} of the mentions have no text: the rule ${rule} of their source removed it.`,
    )
