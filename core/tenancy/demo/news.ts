import type { DemoBusiness, DemoRow, DemoWorld } from '../../contracts/demo'
import { Notification } from '../news/Notification'

type News = DemoRow<typeof Notification>

interface Kind {
  readonly severity: News['severity']
  readonly title: (business: DemoBusiness) => string
  readonly body: string
}

const kinds: Readonly<Record<string, Kind>> = {
  'review.negative': {
    severity: 'warning',
    title: ({ name }) => `${name} has a review of one star`,
    body: 'It waits for an answer.',
  },
  'review.removed': {
    severity: 'info',
    title: ({ name }) => `A review of ${name} is gone`,
    body: 'Its source no longer returns it. It is left out of every figure.',
  },
  'sync.failed': {
    severity: 'critical',
    title: ({ name }) => `Reviews of ${name} cannot be read`,
    body: 'The connection has expired. Connect the account again.',
  },
  'lead.new': {
    severity: 'info',
    title: ({ city }) => `Somebody in ${city} is looking for you`,
    body: 'A new lead was found in a mention.',
  },
  'traffic.spoofed': {
    severity: 'warning',
    title: ({ domain }) => `Somebody visits ${domain} under a crawler's name`,
    body: 'A third of the hits came from outside the operator’s ranges.',
  },
  'report.completed': {
    severity: 'info',
    title: ({ name }) => `The monthly report of ${name} is ready`,
    body: 'It can be opened and shared.',
  },
}

const perBusiness = 8

/** Sample notifications: old ones are read, new ones unread. Two have edge-case texts. */
export const news = (world: DemoWorld): News[] =>
  world.businesses.flatMap((business, place) =>
    Array.from({ length: perBusiness }, (_, turn): News => {
      const random = world.random(`news ${business.key} ${turn}`)
      const type = random.pick(Object.keys(kinds))
      const { severity, title, body } = kinds[type] as Kind
      const created_date = random.instant(random.integer(1, 90))
      const read_at = new Date(Date.parse(created_date) + random.integer(1, 40) * 3_600_000).toISOString()
      const isRead = read_at < world.at(12)
      const isAwkward = turn === 0 && place < 2
      return {
        id: world.id(Notification, `${business.key} ${turn}`),
        workspace_id: business.workspace_id,
        location_id: business.id,
        type,
        severity,
        title: title(business),
        body: isAwkward ? (world.awkward[place] as string) : body,
        entity: 'BusinessLocation',
        entity_id: business.id,
        is_read: isRead,
        read_at: isRead ? read_at : null,
        created_date,
        updated_date: isRead ? read_at : created_date,
      }
    }),
  )
