/** @jsxImportSource ../jsx */

import { AgentKey } from '../../auth/AgentKey'
import type { OAuth } from '../../auth/oauth/index'
import type { HomeCardButton } from '../../contracts/card'
import type { Outcome } from '../client/page-props'
import { definePage, type Page, type SignedIn } from '../define-page'
import { DemoCard } from '../demo/demo'
import { Badge, Button, Card, Form, Head, Notice, Row } from '../kit'
import type { AppPageDeps } from '../page-context'
import { noPlace } from '../parts/no-place'
import type { Place, Places } from '../places'
import { type NamesDeps, standingOf } from '../start/names'
import { isStartDue, startPath } from '../start/start'
import { homeActions, noticeOf } from './home-actions'
import { type SaidCard, sayCards } from './home-cards'

export interface HomeDeps extends AppPageDeps, NamesDeps {
  readonly places: Places
  readonly oauth: Pick<OAuth, 'grants'>
}

/** Something to do, or that is done. */
interface Task {
  readonly title: string
  readonly text: string
  readonly href: string
  readonly order: number
  readonly isDone: boolean
  readonly buttons?: readonly HomeCardButton[]
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
      return visit.place ? show(deps, visit, visit.place, null) : noPlace(visit)
    },
  }),
  ...homeActions(deps, (visit, place, outcome) => show(deps, visit, place, outcome)),
]

async function show(
  deps: HomeDeps,
  visit: SignedIn,
  place: Place,
  outcome: Outcome | null,
): Promise<Response> {
  const [said, maySeeDemo] = await Promise.all([sayCards(deps, visit), deps.places.maySeeDemo(visit.person)])
  const isOwn = !place.is_demo
  const tasks = isOwn ? await tasksOf(deps, visit, said) : []
  const others = maySeeDemo && isOwn ? await deps.places.list(visit.person, 1_000) : []
  const notice = outcome ? null : noticeOf(deps, visit.query.get('done'))
  return visit.page({
    title: outcome ? 'Error: Overview' : 'Overview',
    status: outcome ? 422 : 200,
    width: 'wide',
    children: (
      <>
        <Head title={place.name}>{`Days begin in ${place.timezone}.`}</Head>
        {notice !== null && <Notice tone="good">{notice}</Notice>}
        {outcome && (
          <Notice tone="bad" title="Nothing was changed">
            {outcome.fault}
          </Notice>
        )}
        <Told of={said.filter(({ content }) => content.state === 'info')} />
        {isOwn && <Tasks of={tasks} csrf={visit.csrf} />}
        {maySeeDemo && isOwn && (
          <DemoCard csrf={visit.csrf} isThere={others.some(({ is_demo }) => is_demo)} />
        )}
      </>
    ),
  })
}

/** What core itself has to do, among what the cards of plugins say. */
async function tasksOf(
  deps: HomeDeps,
  { person, place }: SignedIn,
  said: readonly SaidCard[],
): Promise<Task[]> {
  const isAll = person.role === 'owner'
  const [standing, apps, key] = await Promise.all([
    isAll ? standingOf(deps, person.agency_id) : null,
    deps.oauth.grants(person.agency_id),
    deps.owner.rows(AgentKey).get(person.agency_id),
  ])
  const isConnected = apps.length > 0 || (key?.is_active === true && key.last_used_at !== undefined)
  const own: Task[] = [
    ...(standing && place?.is_home
      ? [
          {
            title: 'Name your workspace and business',
            text: 'The workspace, the business and its website.',
            ...{ href: startPath, order: 10, isDone: !standing.isMadeUp },
          },
        ]
      : []),
    ...(isAll
      ? [
          {
            title: 'Connect an assistant',
            text: 'Claude, ChatGPT and others read your data here, once you let them in.',
            ...{ href: '/app/start/take', order: 80, isDone: isConnected },
          },
        ]
      : []),
  ]
  const ofCards = said
    .filter(({ content }) => content.state !== 'info')
    .map(
      ({ card: { title, href, order }, content: { text, state, buttons = [] } }): Task => ({
        ...{ title, text, href, order, buttons, isDone: state === 'done' },
      }),
    )
  return [...own, ...ofCards].toSorted((a, b) => Number(a.isDone) - Number(b.isDone) || a.order - b.order)
}

interface TasksProps {
  readonly of: readonly Task[]
  readonly csrf: string
}

function Tasks({ of: tasks, csrf }: TasksProps) {
  const left = tasks.filter(({ isDone }) => !isDone).length
  const about = left === 0 ? 'Everything is set up.' : `${counted(left, 'thing', 'things')} left.`
  return (
    <Card title="What to do next" about={about}>
      <ul class="tasks">
        {tasks.map(({ title, text, href, isDone, buttons = [] }) => (
          <li key={title}>
            <a href={href}>{title}</a>{' '}
            {isDone ? <Badge tone="good">done</Badge> : <Badge tone="warn">to do</Badge>}
            <p class="hint">{text}</p>
            {buttons.length > 0 && (
              <Row>
                {buttons.map(({ action, label }) => (
                  <Form key={action} action={`/app/home/${action}`} csrf={csrf} label={label} inline>
                    <Button kind="plain">{label}</Button>
                  </Form>
                ))}
              </Row>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

const Told = ({ of: said }: { readonly of: readonly SaidCard[] }) => (
  <div class="figures">
    {said.map(({ card: { name, title, href, link }, content: { text, figure } }) => (
      <Card key={name} title={title}>
        {figure !== undefined && <p class="large">{figure}</p>}
        <p>{text}</p>
        <a href={href}>{link ?? title}</a>
      </Card>
    ))}
  </div>
)

const counted = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`
