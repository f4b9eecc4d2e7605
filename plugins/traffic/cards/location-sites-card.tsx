/** @jsxImportSource renown/web */
import { Badge, Card, Facts, Moment, type PageCardProps } from 'renown/web'
import type { LocationSitesData } from './location'

/** Shows the websites of a location, and when each last reported something. */
export default function LocationSitesCard({ data: { sites, hasMore } }: PageCardProps<LocationSitesData>) {
  return (
    <Card title="AI traffic">
      <Facts
        of={sites.map(({ id, name, is_active, heard_at }) => [
          name,
          <>
            {!is_active && (
              <>
                <Badge>off</Badge>{' '}
              </>
            )}
            {heard_at === null ? (
              'Nothing received yet.'
            ) : (
              <>
                Last received <Moment at={heard_at} />.
              </>
            )}{' '}
            <a href={`/app/traffic?site=${encodeURIComponent(id)}`}>Show its AI traffic</a>
          </>,
        ])}
      />
      {hasMore && (
        <p>
          <a href="/app/sites">All sites</a>
        </p>
      )}
    </Card>
  )
}
