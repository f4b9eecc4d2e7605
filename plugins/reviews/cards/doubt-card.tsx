/** @jsxImportSource renown/web */
import type { Doubt } from 'renown/sources'
import { Card, Moment, Notice, type PageCardProps, Row } from 'renown/web'

/** Shows what contradicts each other, and since when. */
export default function DoubtCard({ data }: PageCardProps<Doubt>) {
  return (
    <Card title={data.about === 'texts' ? 'Texts in doubt' : 'Replies in doubt'}>
      <Notice tone="warn" title="Renown sends no automatic replies here">
        {data.why}
      </Notice>
      <Row>
        <span class="hint">Since</span>
        <Moment at={data.since} />
      </Row>
    </Card>
  )
}
