/** @jsxImportSource ../../kit/jsx */

import { AgentKey } from '../../../auth/AgentKey'
import { keyRevoke, keyRotate } from '../../../auth/commands'
import type { Row as RowOf } from '../../../contracts/entity'
import { sentenceAfter } from '../../../kit/acts/on-page'
import { actAs } from '../../framework/done-by'
import { defineRoute, type Route, type SignedIn } from '../../framework/route'
import { frameWords } from '../../framework/words'
import { Badge, ButtonLink, Card, CopyField, Facts, Head, Moment, Notice, Row } from '../../kit/parts/kit'
import { confirmDialog, Done, type SettingsDeps } from './settings'

const path = '/app/key'
const newPath = '/app/key/new'
const revokePath = '/app/key/revoke'

const told = {
  saved: 'You have saved the key. It cannot be shown again.',
  revoked: sentenceAfter(keyRevoke),
  changed:
    'Somebody else changed the key at the same time, so nothing was changed. This is its current state.',
}

type Key = RowOf<typeof AgentKey> | null

/** The agency's key for programs: its state, rotating it and revoking it. */
export function keyPages(deps: SettingsDeps): Route[] {
  const rows = deps.owner.rows(AgentKey)
  const keyOf = ({ person }: SignedIn) => rows.get(person.agency_id)
  return [
    defineRoute({
      path,
      method: 'GET',
      nav: frameWords('navKey'),
      auth: 'session',
      handle: async (visit) => show(visit, await keyOf(visit)),
    }),
    defineRoute({
      path: newPath,
      method: 'GET',
      auth: 'recent',
      handle: async (visit) => askForNew(visit, await keyOf(visit)),
    }),
    defineRoute({
      path: newPath,
      method: 'POST',
      auth: 'recent',
      back: newPath,
      async handle(visit) {
        if (visit.form.get('seen') !== seenOf(await keyOf(visit)))
          return visit.redirect(`${path}?done=changed`)
        const { agency_id } = visit.person
        const { agent_key } = await actAs(deps.owner, visit, keyRotate, { agency_id })
        return showOnce(visit, String(agent_key))
      },
    }),
    defineRoute({
      path: revokePath,
      method: 'GET',
      auth: 'recent',
      handle: async (visit) => askToRevoke(visit, await keyOf(visit)),
    }),
    defineRoute({
      path: revokePath,
      method: 'POST',
      auth: 'recent',
      back: revokePath,
      async handle(visit) {
        if (visit.form.get('seen') !== seenOf(await keyOf(visit)))
          return visit.redirect(`${path}?done=changed`)
        const { agency_id } = visit.person
        await actAs(deps.owner, visit, keyRevoke, { agency_id })
        return visit.redirect(`${path}?done=revoked`)
      },
    }),
  ]
}

/** Identifies the key that a form was made for. A form for an older key does nothing. */
export const seenOf = (key: Key) => (key ? `${key.minted_at} ${key.is_active}` : 'none')

function show(visit: SignedIn, key: Key): Response {
  const { page, host } = visit
  return page({
    title: 'Agent key',
    width: 'wide',
    copies: true,
    children: (
      <>
        <Head title="Agent key">
          A password for scripts, backends and agents that cannot sign in by themselves. It has your access,
          within the limits of agents: read everything, and save drafts.
        </Head>
        <Done visit={visit} told={told} />
        <State given={key} />
        <Card title="Where it is used" about="Send the key as a bearer token to these addresses.">
          <CopyField name="api" label="REST" value={`${host.origin}/api`} />
          <CopyField name="mcp" label="MCP" value={`${host.origin}/api/mcp`} />
          <pre>
            <code>{`curl ${host.origin}/api/entities/Workspace \\\n  -H "Authorization: Bearer $RENOWN_KEY"`}</code>
          </pre>
        </Card>
      </>
    ),
  })
}

function State({ given: key }: { readonly given: Key }) {
  if (!key?.is_active) {
    return (
      <Card title="There is no agent key" about="An agency has at most one at a time.">
        {key && (
          <p>
            The last key, ending in <code>{key.last4}</code> , is revoked.
          </p>
        )}
        <Row>
          <ButtonLink href={newPath} kind="primary">
            Create the agent key
          </ButtonLink>
        </Row>
      </Card>
    )
  }
  return (
    <Card title="The key">
      <Facts
        of={[
          [
            'State',
            <Badge key="state" tone="good">
              active
            </Badge>,
          ],
          ['Ends in', <code key="last4">{key.last4}</code>],
          ['Created', <Moment key="minted" at={key.minted_at} />],
          ['Last used', <Moment key="used" at={key.last_used_at} />],
        ]}
      />
      <Row>
        <ButtonLink href={newPath}>{keyRotate.declared.label}</ButtonLink>
        <ButtonLink href={revokePath} kind="quiet">
          {keyRevoke.declared.label}
        </ButtonLink>
      </Row>
    </Card>
  )
}

const askForNew = (visit: SignedIn, key: Key) =>
  confirmDialog(visit, {
    ...(key?.is_active
      ? {
          title: 'Rotate the agent key?',
          button: `Rotate the key ending in ${key.last4}`,
          children: (
            <>
              <p>
                The key ending in <code>{key.last4}</code> stops working at once, in every script, backend and
                agent that uses it. The new key is shown only once.
              </p>
              <p>Apps that were connected by signing in keep working.</p>
            </>
          ),
        }
      : {
          title: 'Create the agent key',
          button: 'Create the agent key',
          kind: 'primary' as const,
          children: <p>It is shown only once, on the next page. Prepare a safe place to store it.</p>,
        }),
    action: newPath,
    hidden: { seen: seenOf(key) },
    back: path,
  })

const askToRevoke = (visit: SignedIn, key: Key) =>
  key?.is_active
    ? confirmDialog(visit, {
        title: 'Revoke the agent key?',
        button: `Revoke the key ending in ${key.last4}`,
        children: (
          <p>
            Every script, backend and agent with the key ending in <code>{key.last4}</code> is refused at
            once. Apps that were connected by signing in keep working.
          </p>
        ),
        action: revokePath,
        hidden: { seen: seenOf(key) },
        back: path,
      })
    : visit.redirect(path)

function showOnce({ page }: SignedIn, token: string): Response {
  return page({
    title: 'Your agent key',
    copies: true,
    children: (
      <Card>
        <Head title="Your agent key">
          Copy it now. Renown stores only a hash, so it can never be shown again.
        </Head>
        <Notice tone="warn" title="This is the only time you see it">
          Anybody with the key can read what you can. Store it with your passwords, not in code.
        </Notice>
        <CopyField name="key" label="Agent key" value={token} />
        <p class="hint">Or click into the field, select all and copy.</p>
        <Row>
          <ButtonLink href={`${path}?done=saved`} kind="primary">
            I have saved it
          </ButtonLink>
        </Row>
      </Card>
    ),
  })
}
