/** @jsxImportSource ../../kit/jsx */

import type { Sessions } from '../../../auth/sessions'
import { Refusal } from '../../../contracts/errors'
import type { OwnerContext, PluginDeclaration } from '../../../contracts/plugin'
import { where } from '../../../contracts/where'
import { demoContents } from '../../../demo/contents'
import { findDemo } from '../../../demo/create'
import { demoQueue, demoRemoval, noteDemo } from '../../../demo/plugin'
import { demoSeed, demoWorld } from '../../../demo/world'
import { Job } from '../../../jobs/Job'
import type { JobRow } from '../../../jobs/queue'
import { baseOf } from '../../../kit/page-addresses'
import { removePath } from '../../frame/demo-strip'
import { actAs, asPerson } from '../../framework/done-by'
import { defineRoute, type Route, type SignedIn } from '../../framework/route'
import type { WorkspaceAccess } from '../../framework/workspace-access'
import { Button, ButtonLink, Card, Form, Head, Notice, Row } from '../../kit/parts/kit'

export interface DemoDeps {
  readonly owner: OwnerContext
  readonly plugins: readonly PluginDeclaration[]
  readonly places: WorkspaceAccess
  readonly sessions: Sessions
}

const path = '/app/demo'
const key = 'demo'

/**
 * The pages that create, open and remove the demo. A job creates it, so that no request waits for it and a
 * restart does not lose it. Only people of the installation's first agency can use them.
 */
export const demoPages = (deps: DemoDeps): Route[] => [
  defineRoute({
    path,
    method: 'GET',
    auth: 'session',
    only: 'owner',
    async handle(visit) {
      await refuseOthers(deps, visit)
      const agency = await findDemo(deps.owner)
      const job = agency?.is_active ? null : await lastJob(deps, visit)
      if (agency?.is_active) return visit.redirect(baseOf(firstWorkspaceId()))
      return job ? showCreation(visit, job) : visit.leave('/app')
    },
  }),
  defineRoute({
    path,
    method: 'POST',
    auth: 'session',
    only: 'owner',
    back: '/app',
    async handle(visit) {
      await refuseOthers(deps, visit)
      // After this, the pages show the demo.
      await deps.sessions.choose(visit.session, firstWorkspaceId())
      const agency = await findDemo(deps.owner)
      if (agency?.is_active) return visit.redirect(baseOf(firstWorkspaceId()))
      const { agency_id } = visit.person
      const { deduplicated } = await deps.owner.enqueue(demoQueue, {
        workspace_id: agency_id,
        payload: {},
        key,
      })
      if (!deduplicated) await noteDemo(asPerson(deps.owner, visit))
      return visit.redirect(path)
    },
  }),
  defineRoute({
    path: removePath,
    method: 'POST',
    auth: 'session',
    only: 'owner',
    back: '/app',
    async handle(visit) {
      await refuseOthers(deps, visit)
      if (await findDemo(deps.owner)) await actAs(deps.owner, visit, demoRemoval(deps.plugins), {})
      return visit.leave('/app')
    },
  }),
]

async function refuseOthers({ places }: DemoDeps, { person }: SignedIn): Promise<void> {
  if (await places.maySeeDemo(person)) return
  throw new Refusal('not_found', 'This agency has no demo.')
}

/** The seed determines the ids, so they are the same on every day. */
const firstWorkspaceId = () => demoWorld({ seed: demoSeed, today: '2026-01-01' }).workspaces[0]?.id ?? ''

/** Returns the job that creates the demo, or the one that failed. */
async function lastJob({ owner }: DemoDeps, { person }: SignedIn): Promise<JobRow | null> {
  const own = where.and(
    where.eq('queue', demoQueue),
    where.eq('workspace_id', person.agency_id),
    where.in('state', ['queued', 'running', 'failed']),
  )
  const newest = [{ field: 'created_date', direction: 'desc' }] as const
  const [job] = await owner.rows(Job).list({ where: own, sort: newest, limit: 1 })
  return job ?? null
}

/** Shows the progress of the demo. A script reloads the page. Without scripts there is a link. */
function showCreation(visit: SignedIn, { state, progress, error }: JobRow): Response {
  const { done = 0, total } = progress ?? {}
  const hasFailed = state === 'failed'
  return visit.page({
    title: hasFailed ? 'Error: Demo' : 'Creating the demo',
    children: (
      <Card>
        <Head title={hasFailed ? 'The demo was not created' : 'Creating the demo'}>{demoContents}</Head>
        {hasFailed ? (
          <>
            <Notice tone="bad" title="It failed three times">
              {error?.message}
            </Notice>
            <Row>
              <Form action={path} csrf={visit.csrf} label="Demo" inline>
                <Button>Try again</Button>
              </Form>
              <ButtonLink href="/app">Home</ButtonLink>
            </Row>
          </>
        ) : (
          <div class="stack" data-reload="1" role="status">
            <p>
              <label for="demo-progress">
                {total === undefined
                  ? 'Preparing the records …'
                  : `${done.toLocaleString('en')} of ${total.toLocaleString('en')} records`}
              </label>
            </p>
            <progress
              id="demo-progress"
              max={String(total ?? 1)}
              value={total === undefined ? undefined : String(done)}
            />
            {error && <p class="hint">{`The last try failed and is repeated: ${error.message}`}</p>}
            <p class="hint">
              You can leave this page. The demo opens here when it is complete. <a href={path}>Load again</a>
            </p>
          </div>
        )}
      </Card>
    ),
  })
}

/** The demo's card on the home page. */
export const DemoCard = ({ csrf, isThere }: { readonly csrf: string; readonly isThere: boolean }) => (
  <Card title="Look at a demo" about={`Sample data, separate from your own. ${demoContents}`}>
    <Row>
      <Form action={path} csrf={csrf} label="Demo" inline>
        <Button kind="plain">{isThere ? 'Open the demo' : 'Look at a demo'}</Button>
      </Form>
      {isThere && (
        <Form action={removePath} csrf={csrf} label="Remove the demo" inline>
          <Button kind="quiet">Remove the demo</Button>
        </Form>
      )}
    </Row>
  </Card>
)
