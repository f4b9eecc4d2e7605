/** @jsxImportSource ../../kit/jsx */
import { AgentKey } from '../../../auth/AgentKey'
import { keyRotate } from '../../../auth/commands'
import type { Row as RowOf } from '../../../contracts/entity'
import { shownDomain } from '../../../kit/shown-domain'
import { madeUp } from '../../../tenancy/made-up'
import { actAs } from '../../framework/done-by'
import { defineRoute, type Route, type SignedIn } from '../../framework/route'
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
import { seenOf } from '../settings/key'
import type { NamesDeps, NamingState } from './naming'
import type { StartDeps } from './start-deps'
import { steps } from './steps'

const path = '/app/start/take'
const keyPath = '/app/start/key'

type Key = RowOf<typeof AgentKey> | null
type OwnNamingState = (deps: NamesDeps, visit: SignedIn) => Promise<NamingState | null>

/** The tag for the website, the address for assistants, and the key for programs. */
export function installStepPages(deps: StartDeps, ownStanding: OwnNamingState): Route[] {
  const rows = deps.owner.rows(AgentKey)
  const keyOf = ({ person }: SignedIn) => rows.get(person.agency_id)
  const answer = async (visit: SignedIn, fresh: string | null) => {
    const standing = await ownStanding(deps, visit)
    return standing ? show(deps, visit, standing, await keyOf(visit), fresh) : visit.redirect('/app')
  }
  return [
    defineRoute({
      path,
      method: 'GET',
      auth: 'session',
      only: 'owner',
      handle: (visit) => answer(visit, null),
    }),
    defineRoute({
      path: keyPath,
      method: 'POST',
      auth: 'recent',
      only: 'owner',
      back: path,
      async handle(visit) {
        if (visit.form.get('seen') !== seenOf(await keyOf(visit)))
          return visit.redirect(`${path}?done=changed`)
        const { agency_id } = visit.person
        const { agent_key } = await actAs(deps.owner, visit, keyRotate, { agency_id })
        return answer(visit, String(agent_key))
      },
    }),
  ]
}

function show(
  deps: StartDeps,
  visit: SignedIn,
  { site, workspace }: NamingState,
  key: Key,
  fresh: string | null,
): Response {
  const install = deps.declared.get('/app/install')
  return visit.page({
    title: 'Install and connect',
    copies: true,
    children: (
      <>
        <Card>
          {steps(2)}
          <Head title="Install and connect">
            <bdi>{workspace.name}</bdi> is ready. You can find each of these again in the bar above.
          </Head>
        </Card>
        {site && site.domain !== madeUp.domain && (
          <Card
            title="For your website"
            about={`Paste it into the pages of ${shownDomain(site.domain)}, before </head>.`}
          >
            <CopyField
              name="tag"
              label="Tag"
              value={`<script defer src="${deps.owner.ingestUrl}/s/${site.site_key}.js"></script>`}
            />
            {isLocal(deps.owner.ingestUrl) && <OnlyHere />}
            {install && (
              <Row>
                <ButtonLink href={install.path}>Other ways to install it, and a check</ButtonLink>
              </Row>
            )}
          </Card>
        )}
        <Card title="For your assistant" about="Claude, ChatGPT and others only ask you to sign in here.">
          <CopyField name="mcp" label="MCP address" value={`${visit.host.origin}/api/mcp`} />
          <p class="hint">
            In Claude: Settings, Connectors, Add custom connector. In ChatGPT: Settings, Apps, Create.
          </p>
        </Card>
        <KeyCard visit={visit} given={key} fresh={fresh} />
        <Row align="end">
          <ButtonLink href="/app" kind={fresh === null ? 'primary' : 'plain'}>
            Go to the overview
          </ButtonLink>
        </Row>
      </>
    ),
  })
}

const isLocal = (origin: string) => /^http:\/\/(localhost|127\.|\[::1\])/.test(origin)

const OnlyHere = () => (
  <Notice tone="warn" title="Only this computer can reach that address">
    The operator sets a public address with <code>RENOWN_INGEST_URL</code>. The tag then changes too.
  </Notice>
)

interface KeyProps {
  readonly visit: SignedIn
  readonly given: Key
  readonly fresh: string | null
}

/** The card of the agent key. The terminal showed the key of the first start. Another is created only on request. */
function KeyCard({ visit, given: key, fresh }: KeyProps) {
  const changed = visit.query.get('done') === 'changed'
  if (fresh !== null) {
    return (
      <Card title="Your agent key" id="key">
        <Notice tone="warn" title="This is the only time it is shown">
          Store it with your passwords. Anybody with the key can read what you can.
        </Notice>
        <CopyField name="agent-key" label="Agent key" value={fresh} />
        <Row>
          <ButtonLink href={`${path}?done=saved#key`} kind="primary">
            I have saved it
          </ButtonLink>
        </Row>
      </Card>
    )
  }
  return (
    <Card title="For scripts and backends" about="Programs that cannot sign in send the agent key." id="key">
      {changed && (
        <Notice tone="warn">Somebody else changed the key at the same time, so nothing was changed.</Notice>
      )}
      {key?.is_active ? (
        <>
          <Facts
            of={[
              [
                'Agent key',
                <>
                  ends in <code>{key.last4}</code> <Badge tone="good">active</Badge>
                </>,
              ],
              ['Last used', <Moment key="used" at={key.last_used_at} />],
            ]}
          />
          <p class="hint">
            It was shown once, in the terminal of the first start. If it is lost, create another. The old key
            stops working at once.
          </p>
        </>
      ) : (
        <p>There is no agent key yet. It is shown only once, here.</p>
      )}
      <Form action={keyPath} csrf={visit.csrf} hidden={{ seen: seenOf(key) }} label="Agent key">
        <Row>
          <Button kind="plain">
            {key?.is_active ? `Replace the key ending in ${key.last4}` : 'Create the agent key'}
          </Button>
        </Row>
      </Form>
    </Card>
  )
}
