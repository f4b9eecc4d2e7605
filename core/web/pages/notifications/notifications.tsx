/** @jsxImportSource ../../kit/jsx */

import type { Row as RowOf } from '../../../contracts/entity'
import type { OwnerContext } from '../../../contracts/plugin'
import { where } from '../../../contracts/where'
import { Notification } from '../../../tenancy/news/Notification'
import { noWorkspace } from '../../framework/no-workspace'
import { defineRoute, type Route, type SignedIn } from '../../framework/route'
import { frameWords } from '../../framework/words'
import type { VisibleWorkspace } from '../../framework/workspace-access'
import { Empty } from '../../kit/parts/empty'
import { Filters } from '../../kit/parts/filters'
import { Button, ButtonLink, Card, Form, Head, Row } from '../../kit/parts/kit'
import { Moment } from '../../kit/parts/moment'
import { StateWord } from '../../kit/parts/state-word'
import { mailPath } from './mail'

export const notificationsPath = '/app/notifications'
const readPath = '/app/notifications/read'
const perPage = 50
const skipMax = 100_000
const markMax = 10_000

type News = RowOf<typeof Notification>

export interface NotificationDeps {
  readonly owner: OwnerContext
}

/** The notifications of a workspace, newest first, and the count on the bell. */
export const notificationPages = (deps: NotificationDeps): Route[] => [
  defineRoute({
    path: notificationsPath,
    method: 'GET',
    auth: 'session',
    nav: frameWords('navNotifications'),
    icon: 'bell',
    count: ({ place }) =>
      place ? deps.owner.rows(Notification).count(unreadIn(place)) : Promise.resolve(null),
    handle: (visit) => (visit.place ? show(deps, visit, visit.place) : noWorkspace(visit)),
  }),
  defineRoute({
    path: readPath,
    method: 'POST',
    auth: 'session',
    back: notificationsPath,
    async handle(visit) {
      if (!visit.place) return noWorkspace(visit)
      await markRead(deps, visit.place, visit.form.get('notification'))
      return visit.redirect(addressOf(shownBy(new URLSearchParams(visit.form.get('shown'))), 0))
    },
  }),
]

const unreadIn = ({ id }: VisibleWorkspace) =>
  where.and(where.eq('workspace_id', id), where.eq('is_read', false))

/** Marks one notification as read, or all unread ones if none is named. */
async function markRead({ owner }: NotificationDeps, place: VisibleWorkspace, id: string): Promise<void> {
  const rows = owner.rows(Notification)
  const one = id === '' ? unreadIn(place) : where.and(unreadIn(place), where.eq('id', id))
  const read_at = owner.now().toISOString()
  for (const { id } of await rows.list({ where: one, limit: markMax }))
    await rows.update(id, { is_read: true, read_at })
}

interface Shown {
  readonly status: '' | 'all'
  readonly severity: '' | News['severity']
}

const severities = ['critical', 'warning', 'info'] as const

/** Reads the filters from the address. Ignores unknown values. */
const shownBy = (query: URLSearchParams): Shown => ({
  status: query.get('status') === 'all' ? 'all' : '',
  severity: severities.find((each) => each === query.get('severity')) ?? '',
})

function addressOf({ status, severity }: Shown, skip: number): string {
  const query = new URLSearchParams({
    ...(status === '' ? {} : { status }),
    ...(severity === '' ? {} : { severity }),
    ...(skip > 0 ? { skip: String(skip) } : {}),
  })
  return query.size > 0 ? `${notificationsPath}?${query}` : notificationsPath
}

async function show(
  { owner }: NotificationDeps,
  visit: SignedIn,
  place: VisibleWorkspace,
): Promise<Response> {
  const shown = shownBy(visit.query)
  const skipText = visit.query.get('skip') ?? ''
  const skip = /^\d{1,6}$/.test(skipText) ? Math.min(Number(skipText), skipMax) : 0
  const rows = owner.rows(Notification)
  const wanted = where.and(
    where.eq('workspace_id', place.id),
    ...(shown.status === 'all' ? [] : [where.eq('is_read', false)]),
    ...(shown.severity === '' ? [] : [where.eq('severity', shown.severity)]),
  )
  const newest = [{ field: 'created_date', direction: 'desc' }] as const
  const [found, unread] = await Promise.all([
    rows.list({ where: wanted, sort: newest, limit: perPage + 1, skip }),
    rows.count(unreadIn(place)),
  ])
  const news = found.slice(0, perPage)
  const hidden = { shown: addressOf(shown, 0).split('?')[1] ?? '' }
  return visit.page({
    title: 'Notifications',
    children: (
      <>
        <Head title="Notifications" />
        <Filters
          action={notificationsPath}
          label="Filters of notifications"
          filters={[
            {
              name: 'status',
              label: 'Show',
              value: shown.status,
              none: 'Unread',
              options: [['all', 'Read ones too']],
            },
            {
              name: 'severity',
              label: 'Severity',
              value: shown.severity,
              options: severities.map((each) => [each, severityWords[each].words]),
            },
          ]}
        />
        <Row align="apart">
          {unread > 0 ? (
            <Form action={readPath} csrf={visit.csrf} hidden={hidden} inline>
              <Button kind="plain">Mark all {unread} as read</Button>
            </Form>
          ) : (
            <span />
          )}
          <ButtonLink href={mailPath}>Mail settings</ButtonLink>
        </Row>
        {news.length === 0 ? (
          <Empty text={emptyWords(shown)} />
        ) : (
          <Card>
            <ul class="news" aria-label="Notifications">
              {news.map((row) => (
                <NewsItem key={row.id} of={row} csrf={visit.csrf} hidden={hidden} />
              ))}
            </ul>
          </Card>
        )}
        <Row align="apart">
          {skip > 0 ? (
            <ButtonLink href={addressOf(shown, Math.max(0, skip - perPage))}>Newer</ButtonLink>
          ) : (
            <span />
          )}
          {found.length > perPage && <ButtonLink href={addressOf(shown, skip + perPage)}>Older</ButtonLink>}
        </Row>
      </>
    ),
  })
}

const emptyWords = ({ status, severity }: Shown): string => {
  if (severity !== '') return 'No notification matches these filters.'
  return status === 'all' ? 'There are no notifications yet.' : 'You have read everything.'
}

const severityWords = {
  critical: { tone: 'bad', words: 'Critical' },
  warning: { tone: 'warn', words: 'Warning' },
  info: { tone: 'plain', words: 'Info' },
} as const

interface NewsItemProps {
  readonly of: News
  readonly csrf: string
  readonly hidden: Readonly<Record<string, string>>
}

const NewsItem = ({
  of: { id, title, body, severity, is_read, created_date },
  csrf,
  hidden,
}: NewsItemProps) => (
  <li>
    <Row align="apart">
      <StateWord tone={severityWords[severity].tone}>{severityWords[severity].words}</StateWord>
      <span class="hint">
        <Moment at={created_date} />
      </span>
    </Row>
    <h2 dir="auto">{title}</h2>
    <p dir="auto">{body}</p>
    {is_read ? (
      <span class="hint">Read</span>
    ) : (
      <Form
        action={readPath}
        csrf={csrf}
        hidden={{ ...hidden, notification: id }}
        label={`Mark “${title}” as read`}
        inline
      >
        <Button kind="plain">Mark as read</Button>
      </Form>
    )}
  </li>
)
