/** @jsxImportSource ../../kit/jsx */

import type { Row as RowOf } from '../../../contracts/entity'
import { Refusal } from '../../../contracts/errors'
import { where } from '../../../contracts/where'
import { dayIn } from '../../../kit'
import { Workspace } from '../../../tenancy/Workspace'
import { defineRoute, type Route, type SignedIn } from '../../framework/route'
import { frameWords } from '../../framework/words'
import { Button, ButtonLink, Card, Field, Form, Head, Notice, Row, Table } from '../../kit/parts/kit'
import { DataRetention } from './data-retention'
import { personRightsPath } from './person-rights'
import { Done, Name, note, type SettingsDeps } from './settings'

const path = '/app/workspace-data'
const downloadPath = '/app/workspace-data/download'
const deletePath = '/app/workspace-data/delete'
/** After this time, the page is sent although a deletion continues. */
const patienceMs = 5_000

const told = {
  deleted: 'The data is deleted. Only the audit log remains, under Activity.',
  deleting: 'The deletion has started. It takes a while and continues in the background.',
}

type Space = RowOf<typeof Workspace>

/** How long data is kept, and a workspace's data to download or delete. */
export const dataPages = (deps: SettingsDeps): Route[] => [
  defineRoute({
    path,
    method: 'GET',
    nav: frameWords('navData'),
    navOrder: 82,
    auth: 'session',
    handle: (visit) => show(deps, visit),
  }),
  defineRoute({
    path: downloadPath,
    method: 'POST',
    auth: 'recent',
    back: path,
    async handle(visit) {
      const space = await spaceOf(deps, visit, visit.form.get('of'))
      await note(deps, visit, 'workspace.export', space.name)
      return download(deps, space)
    },
  }),
  defineRoute({
    path: deletePath,
    method: 'GET',
    auth: 'recent',
    handle: async (visit) => ask(deps, visit, await spaceOf(deps, visit, visit.query.get('of') ?? '')),
  }),
  defineRoute({
    path: deletePath,
    method: 'POST',
    auth: 'recent',
    back: path,
    async handle(visit) {
      const space = await spaceOf(deps, visit, visit.form.get('of'))
      const typed = visit.form.get('name')
      if (typed.trim() !== space.name.trim()) return ask(deps, visit, space, typed)
      if (await isHomeOfOthers(deps, space)) return ask(deps, visit, space)
      return visit.leave(`${path}?done=${await remove(deps, visit, space)}`)
    },
  }),
]

/** Returns a workspace of the person's own agency, also one with an interrupted deletion. */
async function spaceOf({ owner }: SettingsDeps, { person }: SignedIn, id: string): Promise<Space> {
  const space = await owner.rows(Workspace).get(id)
  if (space?.agency_id === person.agency_id) return space
  throw new Refusal('not_found', 'This agency has no such workspace.')
}

/**
 * Whether this is the home workspace of an agency with others. It cannot be deleted, because programs use it by
 * default.
 */
const isHomeOfOthers = async ({ owner }: SettingsDeps, { agency_id, is_home }: Space) =>
  is_home && (await owner.rows(Workspace).count(where.eq('agency_id', agency_id))) > 1

async function show(deps: SettingsDeps, visit: SignedIn): Promise<Response> {
  const { place, person, csrf } = visit
  const unfinished = await deps.owner.rows(Workspace).list({
    where: where.and(where.eq('agency_id', person.agency_id), where.eq('is_active', false)),
    limit: 100,
  })
  const own = place?.info.agency_id === person.agency_id ? place : null
  return visit.page({
    title: 'Data',
    width: 'wide',
    children: (
      <>
        <Head title="Data">How long data is kept, and how to download or delete it.</Head>
        <Done visit={visit} told={told} />
        {unfinished.map(({ id, name }) => (
          <Notice key={id} tone="warn" title={`The deletion of ${name} is not finished`}>
            <a href={`${deletePath}?of=${id}`}>Finish deletion</a>
          </Notice>
        ))}
        {own ? (
          <Own id={own.id} name={own.name} csrf={csrf} />
        ) : (
          <Card title="The demo">
            <p>This is sample data. To download your own data, choose your own workspace in the side bar.</p>
          </Card>
        )}
        <Card
          title="One person"
          about="Find, export or erase everything about one person, in all workspaces of the agency."
        >
          <ButtonLink href={personRightsPath} kind="plain">
            People's rights
          </ButtonLink>
        </Card>
        <DataRetention settings={deps.owner.settings} />
      </>
    ),
  })
}

const Own = ({ id, name, csrf }: { id: string; name: string; csrf: string }) => (
  <Card
    title={`The data of ${name}`}
    about="The current workspace. The file has one JSON object per line: every record, with personal data, without the secrets of connected accounts."
  >
    <Row>
      <Form action={downloadPath} csrf={csrf} hidden={{ of: id }} inline>
        <Button kind="plain">Download it</Button>
      </Form>
      <ButtonLink href={`${deletePath}?of=${id}`} kind="quiet">
        Delete it
      </ButtonLink>
    </Row>
  </Card>
)

function download({ workspaceData, owner }: SettingsDeps, { id }: Space): Response {
  const lines = workspaceData.lines(id)
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await lines.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      await lines.return()
    },
  })
  const day = dayIn('UTC', owner.now())
  return new Response(body, {
    headers: {
      'content-type': 'application/x-ndjson',
      'content-disposition': `attachment; filename="renown-${id}-${day}.ndjson"`,
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'same-origin',
    },
  })
}

async function ask(deps: SettingsDeps, visit: SignedIn, space: Space, typed?: string): Promise<Response> {
  const { id, name, is_home } = space
  const isRefused = await isHomeOfOthers(deps, space)
  const counts = isRefused ? new Map<string, number>() : await deps.workspaceData.counts(id)
  return visit.page({
    title: typed === undefined ? `Delete the data of ${name}?` : `Error: Delete the data of ${name}?`,
    status: typed === undefined ? (isRefused ? 409 : 200) : 422,
    children: (
      <Card>
        <Head title={`Delete the data of ${name}?`} />
        {isRefused ? (
          <Notice tone="bad" title="The home workspace cannot be deleted">
            Programs use it by default. Delete the other workspaces first.
          </Notice>
        ) : (
          <>
            <p>
              {is_home
                ? 'All of this is deleted permanently. The workspace stays, because it is the only one.'
                : 'All of this and the workspace are deleted permanently.'}
            </p>
            <Table
              label="What is deleted"
              columns={['What', 'Rows']}
              rows={[...counts].map(([what, count]) => [
                <code key={what}>{what}</code>,
                count.toLocaleString('en'),
              ])}
              empty="The workspace is empty."
            />
            <Form action={deletePath} csrf={visit.csrf} hidden={{ of: id }}>
              <Field
                name="name"
                label="Type the name of the workspace"
                hint={<Name>{name}</Name>}
                value={typed ?? ''}
                error={typed === undefined ? undefined : 'This is not the name of the workspace.'}
                autocomplete="off"
                autofocus
              />
              <Button kind="danger">
                <span>
                  Delete the data of <Name>{name}</Name>
                </span>
              </Button>
            </Form>
          </>
        )}
        <Row>
          <ButtonLink href={path} kind="quiet">
            Cancel
          </ButtonLink>
        </Row>
      </Card>
    ),
  })
}

/** Deletes a workspace. While it runs, people who open the page see that the deletion continues. */
async function remove(deps: SettingsDeps, visit: SignedIn, { id, name, is_home }: Space) {
  await note(deps, visit, is_home ? 'workspace.empty' : 'workspace.delete', name)
  if (!is_home) await deps.owner.rows(Workspace).update(id, { is_active: false })
  const work = deps.workspaceData.remove(id, is_home).then(
    () => 'deleted' as const,
    (error) => {
      deps.owner.log.error('the deletion of a workspace was interrupted', { id, error: String(error) })
      throw error
    },
  )
  work.catch(() => {})
  return Promise.race([work, Bun.sleep(patienceMs).then(() => 'deleting' as const)])
}
