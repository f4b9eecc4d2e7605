/** @jsxImportSource renown/web */
import { Card, type PageCardProps } from 'renown/web'
import type { GuildCardData } from './card'

export default function GuildCard({ data: { total, good } }: PageCardProps<GuildCardData>) {
  return (
    <Card title="The Guild">
      <p>
        {total} {total === 1 ? 'review' : 'reviews'} at the Guild, {good} with four or five stars.
      </p>
    </Card>
  )
}
