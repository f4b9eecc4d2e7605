import type { DemoBusiness, DemoRow, DemoWorld } from '../../contracts/demo'
import { hourMs } from '../../contracts/time'
import { Notification } from '../news/Notification'
import { syncs } from './syncs'

type News = DemoRow<typeof Notification>

interface Kind {
  readonly severity: News['severity']
  readonly title: (business: DemoBusiness) => string
  readonly body: string
}

const kinds: Readonly<Record<string, Kind>> = {
  'review.negative': {
    severity: 'warning',
    title: ({ name }) => `New 1-star review of ${name}`,
    body: 'It has no reply yet. A draft is ready in the inbox.',
  },
  'review.removed': {
    severity: 'info',
    title: ({ name }) => `A review of ${name} was removed`,
    body: 'Its platform no longer lists it. Renown keeps it and leaves it out of all figures.',
  },
  'lead.new': {
    severity: 'info',
    title: ({ name, city }) => `New lead for ${name} in ${city}`,
    body: 'Somebody asks for a recommendation in a public post.',
  },
  'traffic.spoofed': {
    severity: 'warning',
    title: ({ domain }) => `Spoofed GPTBot on ${domain}`,
    body: 'A third of the hits came from addresses that OpenAI does not publish.',
  },
  'report.completed': {
    severity: 'info',
    title: ({ name }) => `The monthly report of ${name} is ready`,
    body: 'You can open and share it.',
  },
}

const perBusiness = 8

/** Sample notifications: old ones are read, new ones unread. Each failed sync has its own. */
export const news = (world: DemoWorld): News[] => [...usualNews(world), ...failedSyncs(world)]

/** One notification for each failed sync, with the reason that the sync states. */
const failedSyncs = (world: DemoWorld): News[] =>
  syncs(world)
    .filter(({ status }) => status === 'failed')
    .map(({ id, workspace_id, location_id, kind, created_date, finished_at = created_date, error = '' }) => ({
      id: world.id(Notification, `sync ${id}`),
      workspace_id,
      location_id,
      type: 'sync.failed',
      severity: 'critical',
      is_read: false,
      read_at: null,
      title: `A sync of ${kind} failed for ${world.businesses.find((one) => one.id === location_id)?.name}`,
      body: error,
      entity: 'BusinessLocation',
      entity_id: location_id,
      created_date: finished_at,
      updated_date: finished_at,
    }))

const usualNews = (world: DemoWorld): News[] =>
  world.businesses.flatMap((business, place) =>
    Array.from({ length: perBusiness }, (_, turn): News => {
      const random = world.random(`news ${business.key} ${turn}`)
      const type = random.pick(Object.keys(kinds))
      const { severity, title, body } = kinds[type] as Kind
      const created_date = random.instant(random.integer(1, 90))
      const read_at = new Date(Date.parse(created_date) + random.integer(1, 40) * hourMs).toISOString()
      const isRead = read_at < world.at(12)
      return {
        id: world.id(Notification, `${business.key} ${turn}`),
        workspace_id: business.workspace_id,
        location_id: business.id,
        type,
        severity,
        title: title(business),
        body: (turn === 0 ? world.edgeCases[place] : undefined) ?? body,
        entity: 'BusinessLocation',
        entity_id: business.id,
        is_read: isRead,
        read_at: isRead ? read_at : null,
        created_date,
        updated_date: isRead ? read_at : created_date,
      }
    }),
  )
