/** @jsxImportSource ../../kit/jsx */
import { isRefusal } from '../../../contracts/errors'
import { eventDelivery, type ShownSubscription } from '../../../contracts/event-delivery'
import { callbackHostsMax, readCallbackHosts } from '../../../events/callback-hosts'
import { Agency } from '../../../tenancy/Agency'
import { defineRoute, type Route, type SignedIn } from '../../framework/route'
import { Badge, Button, Card, Facts, Field, Form, Moment, Row } from '../../kit/parts/kit'
import { Name, note, type SettingsDeps } from './settings'

const appsPath = '/app/apps'
const hostsPath = '/app/apps/hosts'
const stopPath = '/app/apps/stop-events'
const allowPath = '/app/apps/allow-events'

/** What the notices of the page say about events. */
export const eventNotices = {
  hosts: 'The callback hosts are saved. Apps can have events sent to them, and to no other host.',
  nohosts: 'No callback host is allowed. Every event subscription ends.',
  stopped: 'Stopped. These events are not sent again until you allow it.',
  allowed: 'Allowed. The events are sent again when the app asks for them.',
  ended: 'The event subscription is no longer there.',
}

/** Hosts that were typed, and what is wrong with them. */
export interface TypedHosts {
  readonly hosts: string
  readonly fault: string
}

/** The forms for events that are sent to apps. `again` shows the page with what was typed. */
export const callbackPages = (
  deps: SettingsDeps,
  again: (visit: SignedIn, typed: TypedHosts) => Promise<Response>,
): Route[] => [
  defineRoute({
    path: hostsPath,
    method: 'POST',
    auth: 'recent',
    back: appsPath,
    async handle(visit) {
      const { person, form, redirect } = visit
      const typed = form.get('hosts')
      try {
        const hosts = readCallbackHosts(typed)
        const event_hosts = hosts.length === 0 ? undefined : hosts
        await deps.owner.rows(Agency).update(person.agency_id, { event_hosts })
        await note(deps, visit, 'app.event_hosts', hosts.length === 0 ? 'none' : hosts.join(', '))
        return redirect(`${appsPath}?done=${hosts.length === 0 ? 'nohosts' : 'hosts'}`)
      } catch (error) {
        if (!isRefusal(error) || error.status >= 500) throw error
        return again(visit, { hosts: typed, fault: error.message })
      }
    },
  }),
  defineRoute({
    path: stopPath,
    method: 'POST',
    auth: 'session',
    back: appsPath,
    async handle(visit) {
      const { person, form, redirect } = visit
      const [delivery] = deps.owner.extensions(eventDelivery)
      const isStopped = await delivery?.stop(deps.owner, person.agency_id, form.get('subscription'))
      if (isStopped) await note(deps, visit, 'app.event_stop')
      return redirect(`${appsPath}?done=${isStopped ? 'stopped' : 'ended'}`)
    },
  }),
  defineRoute({
    path: allowPath,
    method: 'POST',
    auth: 'recent',
    back: appsPath,
    async handle(visit) {
      const { person, form, redirect } = visit
      const [delivery] = deps.owner.extensions(eventDelivery)
      const isAllowed = await delivery?.allow(deps.owner, person.agency_id, form.get('subscription'))
      if (isAllowed) await note(deps, visit, 'app.event_allow')
      return redirect(`${appsPath}?done=${isAllowed ? 'allowed' : 'ended'}`)
    },
  }),
]

/** What the card about events shows. Null if no plugin sends events. */
export interface CallbackData {
  readonly hosts: readonly string[]
  readonly subscriptions: readonly ShownSubscription[]
}

export async function loadCallbacks(
  { owner }: Pick<SettingsDeps, 'owner'>,
  agencyId: string,
): Promise<CallbackData | null> {
  const [delivery] = owner.extensions(eventDelivery)
  if (!delivery) return null
  const [agency, subscriptions] = await Promise.all([
    owner.rows(Agency).get(agencyId),
    delivery.list(owner, agencyId),
  ])
  return { hosts: agency?.event_hosts ?? [], subscriptions }
}

interface CallbacksProps {
  readonly data: CallbackData
  readonly typed: TypedHosts | undefined
  /** Names of apps by credential, and of workspaces by id. */
  readonly nameOf: (credential: string) => string
  readonly workspaceOf: (id: string) => string
  readonly csrf: string
}

/** The hosts that apps may have events sent to, and the subscriptions of apps. */
export const Callbacks = ({ data, typed, nameOf, workspaceOf, csrf }: CallbacksProps) => (
  <>
    <Card
      title="Events sent to apps"
      about="An app that may save drafts can ask for events, such as a new review. Renown sends ids and numbers to its callback, never texts. This is off until you allow the hosts of callbacks."
    >
      <Form action={hostsPath} csrf={csrf} label="Allowed callback hosts">
        <Field
          name="hosts"
          label="Allowed callback hosts"
          value={typed?.hosts ?? data.hosts.join(' ')}
          hint={`Such as hooks.example.com, or *.openai.com for every host below openai.com. At most ${callbackHostsMax}, with spaces between them. Empty: off`}
          error={typed?.fault}
          optional
          autocomplete="off"
          autofocus={typed !== undefined}
          maxlength={6_000}
        />
        <Row>
          <Button>Save the hosts</Button>
        </Row>
      </Form>
    </Card>
    {data.subscriptions.map((one) => (
      <section key={one.id} class="card" aria-labelledby={one.id}>
        <Row align="apart">
          <h2 id={one.id}>
            <code>{one.type}</code> to <Name>{nameOf(one.credential)}</Name>
          </h2>
          {badges[one.state]}
        </Row>
        <Facts of={factsOf(one, workspaceOf)} />
        {one.state !== 'ended' && <StopOrAllow one={one} csrf={csrf} />}
      </section>
    ))}
  </>
)

const StopOrAllow = ({ one, csrf }: { readonly one: ShownSubscription; readonly csrf: string }) => {
  const isStopped = one.state === 'stopped'
  return (
    <Form action={isStopped ? allowPath : stopPath} csrf={csrf} hidden={{ subscription: one.id }} inline>
      <Button kind="plain">
        <span>
          {isStopped ? 'Allow' : 'Stop sending'} <code>{one.type}</code>
          {isStopped && ' again'}
        </span>
      </Button>
    </Form>
  )
}

const badges = {
  active: <Badge tone="good">active</Badge>,
  failing: <Badge tone="warn">failing</Badge>,
  suspended: <Badge tone="bad">suspended</Badge>,
  stopped: <Badge>stopped</Badge>,
  ended: <Badge>ended</Badge>,
} satisfies Record<ShownSubscription['state'], unknown>

const failures = {
  connection_refused: 'no connection',
  timeout: 'no answer in time',
  tls_error: 'invalid certificate',
  http_4xx: 'refused by the callback',
  http_5xx: 'error of the callback',
  challenge_failed: 'wrong answer',
} satisfies Record<NonNullable<ShownSubscription['last_error']>, string>

function factsOf(one: ShownSubscription, workspaceOf: CallbacksProps['workspaceOf']) {
  const { state, last_error, failing_since } = one
  const where = one.location_id === null ? '' : `, location ${one.location_id}`
  return [
    ['Workspace', <Name key="workspace">{`${workspaceOf(one.workspace_id)}${where}`}</Name>],
    ['Sent to', <code key="host">{one.host}</code>],
    ['Delivered', one.delivered === 1 ? '1 event' : `${one.delivered} events`],
    ['Last delivery', <Moment key="last" at={one.delivered_at ?? undefined} />],
    ...(last_error === null ? [] : [['Last failure', failures[last_error]] as const]),
    ...(failing_since === null
      ? []
      : [['Failing since', <Moment key="failing" at={failing_since} />] as const]),
    ...(state === 'failing' ? [['Events', 'wait, and are sent again in their order'] as const] : []),
    ...(state === 'suspended' ? [['Events', 'wait until the app renews the subscription'] as const] : []),
    ...(state === 'stopped' ? [['Events', 'are not sent until you allow them again'] as const] : []),
    state === 'ended' || state === 'stopped'
      ? (['Ended', one.ended_reason ?? '–'] as const)
      : (['Ends unless renewed', <Moment key="ends" at={one.expires_at} isDay />] as const),
  ] as const
}
