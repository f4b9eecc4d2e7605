/** @jsxImportSource ../jsx */

import { AgentKey } from '../../auth/AgentKey'
import type { OAuth } from '../../auth/oauth/index'
import type { AnyPage, PageSummary } from '../../contracts/page'
import { where } from '../../contracts/where'
import { BusinessLocation } from '../../tenancy/BusinessLocation'
import { definePage, type Page, type SignedIn } from '../define-page'
import { DemoCard } from '../demo/demo'
import { Badge, Card, Head } from '../kit'
import { type AppPageDeps, pageContextOf } from '../page-context'
import { noPlace } from '../parts/no-place'
import type { Place, Places } from '../places'
import { type NamesDeps, standingOf } from '../start/names'
import { isStartDue, startPath } from '../start/start'

export interface HomeDeps extends AppPageDeps, NamesDeps {
  readonly places: Places
  readonly oauth: Pick<OAuth, 'grants'>
}

/** Something to do, or that is done. */
interface Task {
  readonly title: string
  readonly text: string
  readonly href: string
  readonly isDone: boolean
}

/** The overview: what is there, and what to do next. */
export const homePages = (deps: HomeDeps): Page[] => [
  definePage({
    path: '/app',
    method: 'GET',
    nav: 'Home',
    navOrder: 0,
    icon: 'house',
    onPhones: true,
    auth: 'session',
    async handle(visit) {
      if (await isStartDue(deps, visit)) return visit.redirect(startPath)
      return visit.place ? show(deps, visit, visit.place) : noPlace(visit)
    },
  }),
]

async function show(deps: HomeDeps, visit: SignedIn, place: Place): Promise<Response> {
  const inside = where.and(where.eq('workspace_id', place.id), where.eq('is_prospect', false))
  const [locations, said, maySeeDemo] = await Promise.all([
    deps.owner.rows(BusinessLocation).count(inside),
    summaries(deps, visit),
    deps.places.maySeeDemo(visit.person),
  ])
  const isOwn = !place.is_demo
  const tasks = isOwn ? await tasksOf(deps, visit, locations, said) : []
  const others = maySeeDemo && isOwn ? await deps.places.list(visit.person, 1_000) : []
  return visit.page({
    title: 'Overview',
    width: 'wide',
    children: (
      <>
        <Head title={place.name}>{`Days begin in ${place.timezone}.`}</Head>
        <Told of={[locationsOf(locations), ...said.filter(({ summary }) => summary.state === 'info')]} />
        {isOwn && <Tasks of={tasks} />}
        {maySeeDemo && isOwn && (
          <DemoCard csrf={visit.csrf} isThere={others.some(({ is_demo }) => is_demo)} />
        )}
      </>
    ),
  })
}

interface Said {
  readonly page: Pick<AnyPage, 'path' | 'title' | 'nav'>
  readonly summary: PageSummary
}

const locationsOf = (count: number): Said => ({
  page: { path: '/app/locations', title: 'All locations' },
  summary: {
    title: 'Business locations',
    figure: String(count),
    text: count === 0 ? 'None yet.' : 'Each review and each website belongs to one.',
    state: 'info',
  },
})

/** What the plugins' pages say of themselves. One that cannot say anything at the moment takes none of the others along. */
async function summaries(deps: HomeDeps, visit: SignedIn): Promise<Said[]> {
  const ctx = pageContextOf(deps, visit)
  if (!ctx) return []
  const offered = deps.pages.filter(({ only }) => only === undefined || only === visit.person.role)
  const said = await Promise.all(
    offered.map(async (page) => {
      try {
        const summary = (await page.summary?.(ctx)) ?? null
        return summary ? [{ page, summary }] : []
      } catch (error) {
        deps.owner.log.error('a page has no summary', { path: page.path, error: String(error) })
        const text = 'Its state could not be read. Open the page to see more.'
        return [{ page, summary: { title: page.title, text, state: 'todo' as const } }]
      }
    }),
  )
  return said.flat()
}

const failingStates = new Set(['stale', 'never_fetched'])

/** What is wrong with the address lists, as something to do; nothing where all are fresh or another process keeps them. */
async function listTasks({ counter }: HomeDeps): Promise<Task[]> {
  if (!counter) return []
  const task = (text: string) => [
    { title: 'Load the address lists', text, href: '/app/lists', isDone: false },
  ]
  try {
    const lists = await counter.ranges()
    const failing = lists.filter(({ status }) => failingStates.has(status))
    if (failing.length === 0) return []
    return task(
      `${failing.length} of ${lists.length} lists of crawler addresses are not loaded or out of date. Their crawlers count as unchecked.`,
    )
  } catch (error) {
    return task(`Their state cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

async function tasksOf(
  deps: HomeDeps,
  { person, place }: SignedIn,
  locations: number,
  said: readonly Said[],
): Promise<Task[]> {
  const isAll = person.role === 'owner'
  const [lists, standing, apps, key] = await Promise.all([
    listTasks(deps),
    isAll ? standingOf(deps, person.agency_id) : null,
    deps.oauth.grants(person.agency_id),
    deps.owner.rows(AgentKey).get(person.agency_id),
  ])
  const isConnected = apps.length > 0 || (key?.is_active === true && key.last_used_at !== undefined)
  return [
    ...lists,
    ...(standing && place?.is_home
      ? [
          {
            title: 'Name your workspace and business',
            text: 'The workspace, the business and its website.',
            href: startPath,
            isDone: !standing.isMadeUp,
          },
        ]
      : []),
    ...said
      .filter(({ summary }) => summary.state !== 'info')
      .map(({ page, summary: { title, text, state } }) => ({
        ...{ title, text, href: page.path },
        isDone: state === 'done',
      })),
    ...(isAll
      ? [
          {
            title: 'Connect an assistant',
            text: 'Claude, ChatGPT and others read your data here, once you let them in.',
            href: '/app/start/take',
            isDone: isConnected,
          },
        ]
      : []),
    {
      title: 'Add a business location',
      text: 'Reviews and websites belong to a location.',
      href: '/app/locations',
      isDone: locations > 0,
    },
  ]
}

function Tasks({ of: tasks }: { readonly of: readonly Task[] }) {
  const left = tasks.filter(({ isDone }) => !isDone).length
  const about = left === 0 ? 'Everything is set up.' : `${counted(left, 'thing', 'things')} left.`
  return (
    <Card title="What to do next" about={about}>
      <ul class="tasks">
        {tasks
          .toSorted((a, b) => Number(a.isDone) - Number(b.isDone))
          .map(({ title, text, href, isDone }) => (
            <li key={title}>
              <a href={href}>{title}</a>{' '}
              {isDone ? <Badge tone="good">done</Badge> : <Badge tone="warn">to do</Badge>}
              <p class="hint">{text}</p>
            </li>
          ))}
      </ul>
    </Card>
  )
}

const Told = ({ of: said }: { readonly of: readonly Said[] }) => (
  <div class="figures">
    {said.map(({ page, summary: { title, text, figure } }) => (
      <Card key={page.path} title={title}>
        {figure !== undefined && <p class="large">{figure}</p>}
        <p>{text}</p>
        <a href={page.path}>{page.nav?.label ?? page.title}</a>
      </Card>
    ))}
  </div>
)

const counted = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`
