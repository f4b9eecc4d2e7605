import type { DemoRow, DemoWorld } from '../../contracts/demo'
import { SyncStatus } from '../news/SyncStatus'

type Sync = DemoRow<typeof SyncStatus>
type Status = Sync['status']

const kinds = ['reviews', 'mentions', 'visibility', 'enrichment', 'ranges'] as const
const errors = [
  'The source answered 404: it no longer has this listing.',
  'The source answered 429 and asked Renown to wait for 3,600 s.',
  'The answer broke off after 40 of 112 items.',
  'The source answered 502. Renown tries again in an hour.',
] as const

/** The last sync of each kind for each client, and some that are running. */
export const syncs = (world: DemoWorld): Sync[] =>
  world.businesses.flatMap((business, place) =>
    kinds.flatMap((kind, kindPlace): Sync[] => {
      const source = sourceOf(kind, business.source)
      if (source === undefined) return []
      const random = world.random(`sync ${business.key} ${kind}`)
      const status = statusOf(place, kindPlace)
      const began = status === 'running' ? world.at(0, -0.05) : random.instant(random.integer(1, 3))
      const seen = status === 'idle' ? 0 : random.integer(0, 240)
      const ended = status !== 'running' && status !== 'idle'
      const sync = {
        id: world.id(SyncStatus, `${business.key} ${kind}`),
        workspace_id: business.workspace_id,
        location_id: business.id,
        kind,
        source,
        status,
        items_seen: seen,
        items_changed: Math.floor(seen * random.next() * 0.2),
        complete: status === 'succeeded',
        created_date: world.at(400),
        updated_date: began,
        ...(status === 'idle' ? {} : { started_at: began }),
        ...(ended ? { finished_at: later(began, random.integer(2, 90)) } : {}),
        ...(status === 'failed' || status === 'partial'
          ? { error: errors[(place + kindPlace) % errors.length] as string }
          : {}),
      }
      return [sync]
    }),
  )

/** Returns the status of a sample sync. Every status occurs, most of them successful. */
function statusOf(place: number, kindPlace: number): Status {
  const rare: readonly Status[] = ['running', 'failed', 'partial', 'idle']
  const turn = place * kinds.length + kindPlace
  return turn % 6 === 5 ? (rare[Math.floor(turn / 6) % rare.length] as Status) : 'succeeded'
}

const sourceOf = (kind: (typeof kinds)[number], platform: string | undefined) =>
  ({
    reviews: platform,
    mentions: 'reddit',
    visibility: 'recorded',
    enrichment: 'website',
    ranges: 'openai.com',
  })[kind]

const later = (instant: string, seconds: number) =>
  new Date(Date.parse(instant) + seconds * 1000).toISOString()
