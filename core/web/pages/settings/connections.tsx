/** @jsxImportSource ../../kit/jsx */

import { connectionRemove } from '../../../connections/commands'
import { callbackPath } from '../../../connections/consent/consents'
import {
  type ConnectionDeclaration,
  type ConsentDeclaration,
  labelOf,
  missingSettings,
} from '../../../contracts/connection'
import { where } from '../../../contracts/where'
import { sentenceAfter } from '../../../kit/acts/on-page'
import { Connection } from '../../../outbound/Connection'
import { declaredConnections } from '../../../registry/declared-connections'
import { actAs } from '../../framework/done-by'
import { defineRoute, type Route, type SignedIn } from '../../framework/route'
import { frameWords } from '../../framework/words'
import {
  Badge,
  Button,
  ButtonLink,
  Card,
  CopyField,
  Facts,
  Form,
  Head,
  Moment,
  Notice,
  Row,
} from '../../kit/parts/kit'
import { type ConnectionRow, nameOf, ownConnection, connectionsPath as path } from './connection'
import { confirmDialog, Done, Name, type SettingsDeps } from './settings'

const removePath = `${path}/remove`
const connectionsMax = 1_000

/** The workspace's accounts with outside services, their status, and how to connect more. */
export const connectionPages = (deps: SettingsDeps): Route[] => [
  defineRoute({
    path,
    method: 'GET',
    nav: frameWords('navConnections'),
    auth: 'session',
    handle: (visit) => show(deps, visit),
  }),
  defineRoute({
    path: removePath,
    method: 'GET',
    auth: 'recent',
    handle: async (visit) =>
      askToRemove(deps, visit, await ownConnection(deps, visit, visit.query.get('of') ?? '')),
  }),
  defineRoute({
    path: removePath,
    method: 'POST',
    auth: 'recent',
    back: path,
    async handle(visit) {
      const { id: connection_id } = await ownConnection(deps, visit, visit.form.get('of'))
      await actAs(deps.owner, visit, connectionRemove, { connection_id })
      return visit.redirect(`${path}?done=removed`)
    },
  }),
]

async function show({ owner }: SettingsDeps, visit: SignedIn): Promise<Response> {
  const { place, person, csrf, host } = visit
  const own = place?.info.agency_id === person.agency_id && !place.is_demo ? place : null
  const inside = where.eq('workspace_id', own?.id ?? '')
  const sort = [{ field: 'created_date', direction: 'asc' }] as const
  const rows = own ? await owner.rows(Connection).list({ where: inside, sort, limit: connectionsMax }) : []
  const connect = { csrf, of: own?.id ?? '' }
  const connections = declaredConnections(owner)
  const declared = [...connections.values()]
  const withConsent = declared.flatMap((one) =>
    one.consent ? [{ declared: one, consent: one.consent }] : [],
  )
  const told = Object.fromEntries(withConsent.map((one) => [one.declared.provider, one.consent.connected]))
  return visit.page({
    title: 'Connections',
    width: 'wide',
    copies: true,
    children: (
      <>
        <Head title="Connections">
          Accounts{declared.length > 0 && ` with ${and(declared.map(({ label }) => label))}`} through which
          reviews are read and answered
          {own && (
            <>
              {' '}
              in <Name>{own.name}</Name>
            </>
          )}
          .
        </Head>
        <Done visit={visit} told={{ ...told, removed: sentenceAfter(connectionRemove) }} />
        {own ? (
          <>
            {rows.map((row) => (
              <One
                key={row.id}
                connection={row}
                declared={connections.get(row.provider)}
                connect={connect}
                canConnect={canConnect(owner, row.provider)}
              />
            ))}
            {withConsent.map((one) => (
              <Connect
                key={one.declared.provider}
                {...one}
                missing={missingSettings(one.consent, owner.settings)}
                origin={host.origin}
                connect={connect}
              />
            ))}
          </>
        ) : (
          <Card title="A workspace of your own">
            <p>
              Accounts belong to a workspace. Choose your own workspace in the side bar. A demo has no
              accounts.
            </p>
          </Card>
        )}
      </>
    ),
  })
}

const and = (names: readonly string[]) => new Intl.ListFormat('en').format(names)

/** Whether a person can be redirected to the provider's page. */
function canConnect(owner: SettingsDeps['owner'], provider: string): boolean {
  const { consent } = declaredConnections(owner).get(provider) ?? {}
  return consent !== undefined && missingSettings(consent, owner.settings).length === 0
}

const badges = {
  connected: <Badge tone="good">connected</Badge>,
  broken: <Badge tone="bad">broken</Badge>,
  source_unavailable: <Badge tone="warn">source unavailable</Badge>,
} satisfies Record<ConnectionRow['state'], unknown>

const meanings = {
  broken: 'Renown cannot use it until you connect it again',
  source_unavailable: 'The service no longer offers its reviews. Renown checks once a day',
}

interface ConnectProps {
  readonly csrf: string
  /** The workspace of the accounts. */
  readonly of: string
}

interface OneProps {
  readonly connection: ConnectionRow
  /** Left out if the plugin of the provider is not loaded. */
  readonly declared: ConnectionDeclaration | undefined
  readonly connect: ConnectProps
  /** Whether the service's page can be opened. */
  readonly canConnect: boolean
}

const One = ({ connection, declared, connect, canConnect }: OneProps) => {
  const { id, provider, account_id, state, error } = connection
  const name = nameOf(connection)
  return (
    <section class="card" id={id} aria-labelledby={`${id}-name`}>
      <Row align="apart">
        <h2 id={`${id}-name`}>
          <Name>{name}</Name>
        </h2>
        {badges[state]}
      </Row>
      {state !== 'connected' && (
        <Notice tone={state === 'broken' ? 'bad' : 'warn'} title={meanings[state]}>
          {error && <Name>{error}</Name>}
        </Notice>
      )}
      <Facts
        of={[
          ['Service', declared?.label ?? provider],
          [declared?.account.one ?? 'Account', <code key="id">{account_id}</code>],
          ['Connected', <Moment key="since" at={connection.created_date} />],
          ['Last used', <Moment key="used" at={connection.last_used_at} />],
        ]}
      />
      <Row>
        {declared?.locations && (
          <ButtonLink href={`${path}/locations?of=${id}`}>
            <span>
              Add its locations<span class="unseen"> of {name}</span>
            </span>
          </ButtonLink>
        )}
        {canConnect && (
          <Form action={`${path}/${provider}`} csrf={connect.csrf} hidden={{ of: connect.of }} inline>
            <Button kind={state === 'broken' ? 'primary' : 'plain'}>
              <span>
                Connect<span class="unseen"> {name}</span> again
              </span>
            </Button>
          </Form>
        )}
        <ButtonLink href={`${removePath}?of=${id}`} kind="quiet">
          <span>
            Remove <Name>{name}</Name>
          </span>
        </ButtonLink>
      </Row>
    </section>
  )
}

interface ServiceProps {
  readonly declared: ConnectionDeclaration
  readonly consent: ConsentDeclaration
  readonly missing: readonly string[]
  readonly origin: string
  readonly connect: ConnectProps
}

/** A button to the service's page, or what to set up first. */
const Connect = ({ declared, consent, missing, origin, connect }: ServiceProps) => (
  <Card title={`Connect ${declared.label}`} about={consent.about} id={declared.provider}>
    {missing.length > 0 && (
      <>
        <Notice tone="warn" title={`${declared.label} is not set up on this installation`}>
          The operator does this once.
        </Notice>
        <ol>
          <li>{consent.setup}</li>
          <li>Register the redirect address below with it.</li>
          <li>
            Set {missing.map((name, place) => [place > 0 ? ' and ' : '', <code key={name}>{name}</code>])} in
            the environment of Renown, and start it again.
          </li>
        </ol>
      </>
    )}
    <RedirectAddress declared={declared} origin={origin} />
    {missing.length === 0 && (
      <Form action={`${path}/${declared.provider}`} csrf={connect.csrf} hidden={{ of: connect.of }}>
        <Row>
          <Button>Connect {declared.label}</Button>
        </Row>
      </Form>
    )}
  </Card>
)

/** The redirect address, which must be registered with the service. */
export const RedirectAddress = ({ declared, origin }: Pick<ServiceProps, 'declared' | 'origin'>) => (
  <>
    <CopyField
      name={`${declared.provider}-redirect`}
      label="Redirect address"
      of={declared.label}
      value={`${origin}${callbackPath(declared.provider)}`}
    />
    <p class="hint">{declared.consent?.redirectHint}</p>
  </>
)

const askToRemove = ({ owner }: SettingsDeps, visit: SignedIn, connection: ConnectionRow) =>
  confirmDialog(visit, {
    title: `Remove ${nameOf(connection)}?`,
    button: (
      <span>
        Remove <Name>{nameOf(connection)}</Name>
      </span>
    ),
    children: (
      <p>
        Renown deletes the account and its tokens at once, and stops reading and answering with it. It keeps
        the locations and their data. {labelOf(owner.providers, connection.provider)} still lists Renown as an
        app with access until you remove it there.
      </p>
    ),
    action: removePath,
    hidden: { of: connection.id },
    back: path,
  })
