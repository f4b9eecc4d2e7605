import { afterAll, beforeAll, expect, test } from 'bun:test'
import { where } from 'renown'
import { definePage } from 'renown/pages'
import { User } from '../../../../../core/tenancy/User'
import { Workspace } from '../../../../../core/tenancy/Workspace'
import { type Gate, startGate } from '../../../../support/harness'
import { withPages } from '../../../../support/pages'
import { signedIn } from '../../../../support/signed-in'

/** Yields a message each time somebody calls `send`. */
const waiting = new Set<() => void>()
const send = () => {
  for (const wake of waiting) wake()
  waiting.clear()
}
const page = definePage({
  path: '/app/news',
  title: 'News',
  module: new URL('../../../../support/pages/counter.tsx', import.meta.url),
  load: async () => ({ stage: 'new', titles: [] }),
  events: {
    async *news(_, __, signal) {
      for (let count = 0; !signal.aborted; count++) {
        yield { count }
        await new Promise<void>((wake) => {
          waiting.add(wake)
          signal.addEventListener('abort', () => wake())
        })
      }
    },
  },
})

let gate: Gate
beforeAll(async () => {
  gate = await startGate({ plugins: [withPages(page)] })
})
afterAll(() => gate.stop())

type Asked = { userId: string; workspaceId: string; cookie: string }

/** A stream that has received its first message, and what it receives after the change. */
async function heardAfter(change: (asked: Asked) => Promise<unknown>): Promise<string> {
  const { cookie, userId } = await signedIn(gate, { email: `${crypto.randomUUID()}@agency.example` })
  const {
    id: _,
    created_date: __,
    updated_date: ___,
    ...home
  } = await gate.owner
    .rows(Workspace)
    .get(gate.tenant.workspaceId)
    .then((row) => row as NonNullable<typeof row>)
  const workspace = await gate.owner.rows(Workspace).insert({ ...home, is_home: false })
  const headers = { cookie }
  const answer = await gate.ask(`/app/w/${workspace.id}/events/news`, { key: null, headers })
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
  const text = async () => {
    const { value, done } = await reader.read()
    return done ? null : new TextDecoder().decode(value)
  }
  let heard = ''
  while (!heard.includes('{"count":0}')) heard += (await text()) ?? 'ended early {"count":0}'
  expect(heard).not.toContain('ended early')
  await change({ userId, workspaceId: workspace.id, cookie })
  send()
  const next = await text()
  await reader.cancel()
  return next ?? 'ended'
}

const rows = () => ({ users: gate.owner.rows(User), workspaces: gate.owner.rows(Workspace) })

test('a stream goes on while nothing changed', async () => {
  expect(await heardAfter(async () => {})).toBe('data: {"count":1}\n\n')
})

test.each<[string, (asked: Asked) => Promise<unknown>]>([
  [
    'the workspace was removed',
    ({ workspaceId }) => rows().workspaces.removeWhere(where.eq('id', workspaceId)),
  ],
  [
    'the workspace was deactivated',
    ({ workspaceId }) => rows().workspaces.update(workspaceId, { is_active: false }),
  ],
  [
    'the workspace hides personal data',
    ({ workspaceId }) => rows().workspaces.update(workspaceId, { redact_pii: true }),
  ],
  ['the person was deactivated', ({ userId }) => rows().users.update(userId, { is_active: false })],
  ['the person became a member', ({ userId }) => rows().users.update(userId, { role: 'member' })],
  [
    'the workspace was taken from the person',
    ({ userId }) => rows().users.update(userId, { workspace_ids: [] }),
  ],
  ['the person was removed', ({ userId }) => rows().users.removeWhere(where.eq('id', userId))],
])('a stream sends nothing more once %s', async (_, change) => {
  expect(await heardAfter(change)).toBe('ended')
})
