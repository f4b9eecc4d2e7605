import { absentId } from '../absent-id'
import { described, type Installation } from '../installation'
import { isObject, textAt } from '../json'
import type { Check } from '../proof'

type CeilingCheck = Check<Installation>

/**
 * A list, where each command expects an object. A command that checks its input first refuses it, and a broken one has
 * nothing to write.
 */
const noEffect: readonly unknown[] = []

/** What a credential may do: read, save drafts, queue reports, set up tracking, mark as seen or read. */
const allowedClasses = ['read', 'draft', 'queue', 'setup', 'mark']

/** What only people do, on pages. No operation may have such a name. */
const peopleOnly = [
  'publishPost',
  'schedulePost',
  'updatePost',
  'deletePost',
  'sendReviewReply',
  'publishReviewReply',
  'replyToReview',
  'sendMentionReply',
  'deleteReview',
  'updateReview',
  'updateLead',
  'moveLead',
  'archiveLead',
  'deleteLead',
  'createWorkspace',
  'updateWorkspace',
  'deleteWorkspace',
  'createLocation',
  'updateLocation',
  'deleteLocation',
  'inviteUser',
  'createUser',
  'deleteUser',
  'rotateKey',
  'createKey',
  'revokeKey',
  'createWebhook',
  'deleteWebhook',
  'connectAccount',
  'disconnectAccount',
  'shareReport',
  'deleteReport',
  'sendEmail',
  'updateSettings',
  'runCommand',
]

const records: CeilingCheck = {
  id: 'ceiling.records',
  promise: 'No record can be created, changed or deleted over HTTP, whatever the input is',
  async run(installation, proof) {
    for (const { name } of installation.types) {
      const list = `/api/entities/${name}`
      const one = `/api/entities/${name}/${absentId(name)}`
      for (const [method, path] of [
        ['POST', list],
        ['PUT', one],
        ['PATCH', one],
        ['DELETE', one],
      ] as const)
        await refused(installation, proof, { method, path, code: 'outside_ceiling' })
    }
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      await refused(installation, proof, { method, path: '/api/entities', code: 'outside_ceiling' })
    const headers = { 'x-http-method-override': 'DELETE' }
    const path = `/api/entities/Review/${absentId('Review')}`
    await refused(installation, proof, { method: 'POST', path, code: 'outside_ceiling', headers })
  },
}

const operations: CeilingCheck = {
  id: 'ceiling.operations',
  promise: 'What only people do cannot be called, and permission is checked before input',
  async run(installation, proof) {
    const published = new Set(installation.operations.map(({ name }) => name))
    for (const name of peopleOnly) {
      proof.expect(!published.has(name), `${name} is published as an operation`)
      await refused(installation, proof, {
        method: 'POST',
        path: `/api/functions/${name}`,
        code: 'outside_surface',
      })
    }
    for (const path of [
      '/api/keys',
      '/api/webhooks',
      '/api/workspaces',
      '/api/events',
      '/api/surface',
      '/api/users',
    ])
      await refused(installation, proof, { method: 'POST', path, code: 'outside_surface' })
  },
}

const classes: CeilingCheck = {
  id: 'ceiling.classes',
  promise: 'Every published command is a read, a draft, a queued report, a set-up or a mark',
  async run(installation, proof) {
    for (const operation of installation.operations) {
      const isAllowed = allowedClasses.includes(operation.class)
      if (
        !proof.expect(
          isAllowed,
          `${operation.name} has the class "${operation.class}", which is outside the ceiling`,
        )
      )
        continue
      const path = `/api/functions/${operation.name}`
      for (const method of ['PUT', 'PATCH', 'DELETE'])
        await refused(installation, proof, { method, path, code: 'outside_surface' })
    }
    const { paths } = installation.openapi
    for (const [path, methods] of Object.entries(isObject(paths) ? paths : {}))
      for (const method of Object.keys(isObject(methods) ? methods : {})) {
        if (!/^(?:post|put|patch|delete)$/.test(method)) continue
        if (method === 'post' && /^\/api\/(?:functions\/\w{1,100}|mcp)$/.test(path)) continue
        proof.expect(
          false,
          `The OpenAPI document has ${method.toUpperCase()} ${path}, which is outside the ceiling`,
        )
      }
  },
}

interface Refused {
  readonly method: string
  readonly path: string
  readonly code: string
  readonly headers?: Readonly<Record<string, string>>
}

async function refused(
  { connection }: Installation,
  proof: Parameters<CeilingCheck['run']>[1],
  { method, path, code, headers = {} }: Refused,
) {
  const answer = await connection.ask(path, { method, body: noEffect, headers })
  const said = `${method} ${path.replace(/\/[a-z]{3}_\w{26}$/, '/<id>')}`
  if (answer.status === 403) {
    const named = textAt(answer.json, 'code')
    proof.expect(named === code, `${said} is refused as ${named ?? described(answer)}, not as ${code}`)
    return
  }
  const isRefused = answer.status >= 400 && answer.status < 500
  proof.expect(
    false,
    isRefused
      ? `${said} checks its input before the permission: ${described(answer)}`
      : `${said} is not refused: ${described(answer)}`,
  )
}

const credentials: CeilingCheck = {
  id: 'ceiling.credentials',
  promise: 'Only the Authorization header opens the API, and no key opens the pages of people',
  async run({ connection, key }, proof) {
    const nothing = await connection.ask('/api/surface', { key: null })
    proof.expect(nothing.status === 401, `A request without a key has status ${nothing.status}, not 401`)
    const cookie = await connection.ask('/api/surface', {
      key: null,
      headers: { cookie: `key=${key}; __Host-session=${key}` },
    })
    proof.expect(cookie.status === 401, `A key in a cookie has status ${cookie.status}, not 401`)
    const wrong = await connection.ask('/api/surface', { key: otherCharacters(key) })
    proof.expect(wrong.status === 401, `A wrong key has status ${wrong.status}, not 401`)
    const mcp = await connection.ask('/api/mcp', {
      method: 'POST',
      key: null,
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    })
    proof.expect(mcp.status === 401, `MCP without a key has status ${mcp.status}, not 401`)
    for (const path of ['/app', '/app/settings']) {
      const page = await connection.ask(path)
      proof.expect(page.status !== 200, `The key opens the page ${path}`)
    }
  },
}

/** Returns a key of the same form that nobody has. */
const otherCharacters = (key: string) => `${key.slice(0, 8)}${[...key.slice(8)].reverse().join('')}`

export const ceilingChecks = [records, operations, classes, credentials]
