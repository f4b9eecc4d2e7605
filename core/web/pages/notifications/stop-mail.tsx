/** @jsxImportSource ../../kit/jsx */
import type { OwnerContext } from '../../../contracts/plugin'
import { where } from '../../../contracts/where'
import { isWellFormedToken } from '../../../process/crypto'
import { MailChoice } from '../../../tenancy/news/mail/MailChoice'
import { Workspace } from '../../../tenancy/Workspace'
import { defineRoute, type Route, type Visit } from '../../framework/route'
import { Button, Card, Form, Head } from '../../kit/parts/kit'

const stopPath = '/app/mail/stop'
const tokenPrefix = 'rnw_mail_'

interface StopDeps {
  readonly owner: OwnerContext
}

/**
 * Unsubscribes with a link, without sign-in. A mail program posts to the link (RFC 8058). A person opens it
 * and clicks a button, so that a scanner that opens links unsubscribes nobody.
 */
export const stopMailPages = (deps: StopDeps): Route[] => [
  defineRoute({ path: stopPath, method: 'GET', auth: 'none', handle: (visit) => ask(deps, visit) }),
  defineRoute({
    path: stopPath,
    method: 'POST',
    auth: 'none',
    isProvedByLink: true,
    handle: (visit) => stop(deps, visit),
  }),
]

async function find({ owner }: StopDeps, { query }: Visit) {
  const token = query.get('token') ?? ''
  if (!isWellFormedToken(tokenPrefix, token)) return null
  const [choice] = await owner
    .rows(MailChoice)
    .list({ where: where.eq('unsubscribe_token', token), limit: 1 })
  const workspace = choice && (await owner.rows(Workspace).get(choice.workspace_id))
  return choice && workspace ? { choice, workspace, token } : null
}

async function ask(deps: StopDeps, visit: Visit): Promise<Response> {
  const found = await find(deps, visit)
  if (!found) return unknown(visit)
  const { workspace, token } = found
  return visit.page({
    title: 'Stop this mail',
    children: (
      <Card>
        <Head title="Stop this mail">{`You get mail about notifications of ${workspace.name}.`}</Head>
        <Form action={`${stopPath}?token=${token}`} csrf={visit.csrf}>
          <Button>Stop mail</Button>
        </Form>
      </Card>
    ),
  })
}

async function stop(deps: StopDeps, visit: Visit): Promise<Response> {
  const found = await find(deps, visit)
  if (!found) return unknown(visit)
  const { choice, workspace } = found
  await deps.owner.rows(MailChoice).update(choice.id, { frequency: 'off', due_at: undefined })
  return visit.page({
    title: 'Mail stopped',
    children: (
      <Card>
        <Head title="Mail stopped">
          {`You get no more mail about ${workspace.name}. You can turn it on again under Notifications.`}
        </Head>
      </Card>
    ),
  })
}

const unknown = ({ page }: Visit): Response =>
  page({
    title: 'This link does not work',
    status: 404,
    children: (
      <Card>
        <Head title="This link does not work">
          Open the newest mail and use the link in it, or sign in and open Notifications.
        </Head>
      </Card>
    ),
  })
