/** @jsxImportSource renown/web */
import { ButtonLink, Card, Moment, type PageCardProps, StateWord, Table } from 'renown/web'

/** The data of the card. */
export interface MentionsCardData {
  readonly location_id: string
  readonly trackers: readonly {
    readonly id: string
    readonly name: string
    readonly is_active: boolean
    readonly mentions: number
    readonly last_run_at: string | null
  }[]
}

/** A card with the trackers that search public posts for a location. */
export default function MentionsCard({ data, mayChange }: PageCardProps<MentionsCardData>) {
  const { location_id, trackers } = data
  const location = new URLSearchParams({ location: location_id })
  return (
    <Card title="Mentions">
      {trackers.length === 0 ? (
        <p>No tracker searches public posts for this location.</p>
      ) : (
        <>
          <Table
            label="Trackers"
            columns={['Tracker', 'State', 'Mentions', 'Last look']}
            rows={trackers.map((one) => [
              <a key="name" href={`/app/mentions/tracker?${new URLSearchParams({ tracker: one.id })}`}>
                <bdi>{one.name}</bdi>
              </a>,
              <StateWord key="state" tone={one.is_active ? 'good' : 'plain'}>
                {one.is_active ? 'Active' : 'Paused'}
              </StateWord>,
              one.mentions,
              one.last_run_at === null ? 'Looking now' : <Moment key="last" at={one.last_run_at} />,
            ])}
          />
          <p>
            <a href={`/app/mentions?${location}`}>Mentions of this location</a>
          </p>
        </>
      )}
      {mayChange && <ButtonLink href={`/app/mentions/tracker?${location}`}>Create a tracker</ButtonLink>}
    </Card>
  )
}
