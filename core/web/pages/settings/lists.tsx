/** @jsxImportSource ../../kit/jsx */

import type { RangeListStatus } from '../../../contracts/traffic'
import { defineRoute, type Route, type SignedIn } from '../../framework/route'
import { frameWords } from '../../framework/words'
import { Badge, Button, Card, CodeBlock, Facts, Form, Head, Moment, Notice, Table } from '../../kit/parts/kit'
import { Done, type SettingsDeps } from './settings'

const path = '/app/lists'
const refreshPath = '/app/lists/refresh'

const told = { refreshed: 'Renown fetched every list. This is the current state.' }

/** The operators' address lists, which verify hits. */
export const listPages = (deps: SettingsDeps): Route[] => [
  defineRoute({
    path,
    method: 'GET',
    nav: frameWords('navLists'),
    auth: 'session',
    handle: (visit) => show(deps, visit),
  }),
  defineRoute({
    path: refreshPath,
    method: 'POST',
    auth: 'session',
    back: path,
    async handle(visit) {
      await deps.counter?.refreshRanges()
      return visit.redirect(`${path}?done=refreshed`)
    },
  }),
]

async function show({ owner, counter }: SettingsDeps, visit: SignedIn): Promise<Response> {
  const lists = await counter?.ranges()
  const mirror = withoutPassword(owner.settings.RENOWN_RANGES_MIRROR)
  return visit.page({
    title: 'Address lists',
    width: 'wide',
    children: (
      <>
        <Head title="Address lists">
          AI operators publish the addresses of their agents. A hit from inside these ranges is verified, one
          from outside is spoofed. Without a current list it is unchecked.
        </Head>
        <Done visit={visit} told={told} />
        <Card title="Where they come from">
          <Facts
            of={[
              [
                'Fetched from',
                mirror === '' ? 'the operators themselves' : <code key="mirror">{mirror}</code>,
              ],
              ['Set by', <code key="name">RENOWN_RANGES_MIRROR</code>],
              ['Fetched', 'every six hours, and when you refresh them'],
            ]}
          />
          {lists && (
            <Form action={refreshPath} csrf={visit.csrf} inline>
              <Button kind="plain">Refresh them now</Button>
            </Form>
          )}
        </Card>
        {lists ? <Lists of={lists} /> : <Elsewhere />}
      </>
    ),
  })
}

const Elsewhere = () => (
  <Card title="The ingest runs in a separate process">
    <p>That process has the lists. Run this command on its machine:</p>
    <CodeBlock>bun renown range list</CodeBlock>
  </Card>
)

const states = {
  fresh: <Badge tone="good">fresh</Badge>,
  stale: <Badge tone="warn">stale</Badge>,
  unused: <Badge tone="bad">too old to use</Badge>,
  never_fetched: <Badge tone="bad">never fetched</Badge>,
} satisfies Record<RangeListStatus['status'], unknown>

function Lists({ of: lists }: { readonly of: readonly RangeListStatus[] }) {
  const failed = Map.groupBy(
    lists.filter(({ last_error }) => last_error !== null),
    ({ last_error }) => last_error ?? '',
  )
  return (
    <>
      {doubtsOf(lists).map((why) => (
        <Notice key={why} tone="warn" title="A list is in doubt">
          {why}
        </Notice>
      ))}
      {[...failed].map(([error, group]) => (
        <Notice key={error} tone="warn" title={`${group.length} of ${lists.length} could not be renewed`}>
          {error}
        </Notice>
      ))}
      <Card title="Lists">
        <Table
          label="Address lists"
          columns={['Operator', 'State', 'Last fetched', 'Ranges', 'List']}
          rows={lists.map(({ operator, status, last_ok_at, prefixes, url }) => [
            operator,
            states[status],
            <Moment key="at" at={last_ok_at ?? undefined} />,
            prefixes.toLocaleString('en'),
            <span key="url" class="hint">
              {url.replace('https://', '')}
            </span>,
          ])}
        />
      </Card>
    </>
  )
}

/** An operator may have several lists, which are in doubt together. */
const doubtsOf = (lists: readonly RangeListStatus[]) => [
  ...new Set(lists.flatMap(({ in_doubt }) => (in_doubt ? [in_doubt.why] : []))),
]

/** Removes the name and the password from a mirror's address. */
function withoutPassword(text: string): string {
  const url = URL.parse(text)
  if (!url) return text === '' ? '' : 'an address that cannot be read'
  return `${url.origin}${url.pathname}`
}
