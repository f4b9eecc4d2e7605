/** @jsxImportSource ../../kit/jsx */

import { AgentKey } from '../../../auth/AgentKey'
import type { OAuth } from '../../../auth/oauth'
import type { HomeCardButton } from '../../../contracts/home'
import type { AppPageDeps } from '../../framework/page-context'
import type { SignedIn } from '../../framework/route'
import { formatCount } from '../../kit/browser/format'
import { Badge, Button, Card, Form, Row } from '../../kit/parts/kit'
import { type NamesDeps, namingStateOf } from '../start/naming'
import { startPath } from '../start/start'
import type { SaidCard } from './home-cards'

/** An open or completed step. */
interface Task {
  readonly title: string
  readonly text: string
  readonly href: string
  readonly order: number
  readonly isDone: boolean
  readonly buttons?: readonly HomeCardButton[]
}

interface TaskDeps extends AppPageDeps, NamesDeps {
  readonly oauth: Pick<OAuth, 'grants'>
}

/** Returns the open and completed steps of core and of the plugins' cards. */
export async function tasksOf(
  deps: TaskDeps,
  { person, place }: SignedIn,
  said: readonly SaidCard[],
): Promise<Task[]> {
  const isAll = person.role === 'owner'
  const [standing, apps, key] = await Promise.all([
    isAll ? namingStateOf(deps, person.agency_id) : null,
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
            href: startPath,
            order: 10,
            isDone: !standing.isMadeUp,
          },
        ]
      : []),
    ...(isAll
      ? [
          {
            title: 'Connect an assistant',
            text: 'Claude, ChatGPT and others can read your data after you connect them.',
            href: '/app/start/take',
            order: 80,
            isDone: isConnected,
          },
        ]
      : []),
  ]
  const ofCards = said.flatMap(({ title, href, order, content }): Task[] =>
    content === null || content.state === 'info' || content.state === 'waiting'
      ? []
      : [
          {
            title,
            href,
            order,
            text: content.text,
            isDone: content.state === 'done',
            buttons: content.buttons ?? [],
          },
        ],
  )
  return [...own, ...ofCards].toSorted((a, b) => Number(a.isDone) - Number(b.isDone) || a.order - b.order)
}

interface TasksProps {
  readonly of: readonly Task[]
  readonly csrf: string
}

/** Shows the steps, open ones first. */
export function Tasks({ of: tasks, csrf }: TasksProps) {
  const left = tasks.filter(({ isDone }) => !isDone)
  const done = tasks.filter(({ isDone }) => isDone)
  const about = left.length === 0 ? 'Everything is set up.' : `${formatCount(left.length, 'thing')} left.`
  return (
    <Card title="Set-up" about={about}>
      {left.length > 0 && <List of={left} csrf={csrf} />}
      {left.length > 0 && done.length > 0 && <List of={done} csrf={csrf} />}
      {left.length === 0 && done.length > 0 && (
        <details class="fold">
          <summary>Show completed steps</summary>
          <List of={done} csrf={csrf} />
        </details>
      )}
    </Card>
  )
}

const List = ({ of: tasks, csrf }: TasksProps) => (
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
)
