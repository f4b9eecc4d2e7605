/** @jsxImportSource renown/web */
import type { Row } from 'renown'
import type { SyncStatus } from 'renown/records'
import { Badge, Card, Moment, type PageCardProps, Table, type Tone } from 'renown/web'

type Reading = Row<typeof SyncStatus>

/** A card with the last sync of each source. */
const ReadingsCard = ({ data: readings }: PageCardProps<readonly Reading[]>) => (
  <Card title="Readings" about="The last sync of each source, and whether it was complete.">
    <Table
      label="Readings"
      columns={['What', 'Where', 'State', 'Last', 'Seen']}
      rows={readings.map((reading) => [
        kinds[reading.kind],
        <bdi key="source">{reading.source}</bdi>,
        <State key="state" of={reading} />,
        <Moment key="at" at={reading.finished_at ?? reading.started_at} />,
        seenOf(reading),
      ])}
      empty="There were no syncs yet."
    />
  </Card>
)
export default ReadingsCard

const kinds = {
  reviews: 'Reviews',
  mentions: 'Mentions',
  visibility: 'Answers of assistants',
  enrichment: 'Profile',
  ranges: 'Address lists',
} satisfies Record<Reading['kind'], string>

const states = {
  idle: ['not read yet', 'plain'],
  running: ['being read', 'plain'],
  succeeded: ['read', 'good'],
  partial: ['read in part', 'warn'],
  failed: ['failed', 'bad'],
} satisfies Record<Reading['status'], readonly [string, Tone]>

function State({ of: { status, complete, error } }: { readonly of: Reading }) {
  const [words, tone] = states[status]
  return (
    <>
      <Badge tone={tone}>{status === 'succeeded' && complete ? 'read to the end' : words}</Badge>
      {error && (
        <p class="hint">
          <bdi>{error}</bdi>
        </p>
      )}
    </>
  )
}

function seenOf({ status, items_seen, items_changed }: Reading): string {
  if (status === 'idle') return '–'
  return `${items_seen.toLocaleString('en')}, ${items_changed.toLocaleString('en')} new or different`
}
