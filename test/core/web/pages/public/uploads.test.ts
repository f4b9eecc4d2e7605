import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { definePlugin } from 'renown'
import { Workspace } from '../../../../../core/tenancy/Workspace'
import { type Gate, startGate } from '../../../../support/harness'

const file = '0b4c6f0e-1111-4222-8333-944445555666.pdf'
const looked: string[] = []
const papers = definePlugin({
  name: 'papers',
  summary: 'Papers',
  renown: '^1.0.0',
  publicPages: {
    papers: {
      summary: 'Papers',
      uploads: {
        type: 'application/pdf',
        async load(_, address) {
          looked.push(`${address.workspace_id} ${address.file}`)
          if (address.file !== file) return null
          return { bytes: new TextEncoder().encode('%PDF-1.7 words'), filename: 'A "paper"\r\nx: y.pdf' }
        },
      },
    },
  },
})

describe('a file of a plugin', () => {
  let gate: Gate
  beforeAll(async () => {
    gate = await startGate({ plugins: [papers] })
  })
  afterAll(() => gate.stop())
  beforeEach(() => {
    looked.length = 0
  })
  const at = (name = file, workspace = gate.tenant.workspaceId) => `/uploads/papers/${workspace}/${name}`
  const ask = (path = at(), method = 'GET', headers = {}) => gate.ask(path, { key: null, method, headers })

  test('opens without an account, and says nothing to search engines', async () => {
    const answer = await ask()
    expect(await answer.text()).toBe('%PDF-1.7 words')
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'x-robots-tag': 'noindex, nofollow, noarchive',
      'referrer-policy': 'no-referrer',
      'cache-control': 'private, no-cache',
      'content-disposition': 'inline; filename="A _paper___x_ y.pdf"',
    })
    expect(answer.headers.get('set-cookie')).toBeNull()
    const again = await ask(at(), 'GET', { 'if-none-match': answer.headers.get('etag') })
    expect(again.status).toBe(304)
    const head = await ask(at(), 'HEAD')
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  test('is only read: other methods are refused', async () => {
    expect((await ask(at(), 'POST')).status).toBe(405)
    expect((await ask(at(), 'DELETE')).status).toBe(405)
  })

  test('cannot be reached by another path', async () => {
    const { workspaceId } = gate.tenant
    for (const path of [
      at('../secret-file-name.pdf'),
      at('%2e%2e%2fsecret-file-name.pdf'),
      at(`${file}/x`),
      at('short.pdf'),
      at(file.replace('.pdf', '')),
      `/uploads/papers/${file}`,
      `/uploads/others/${workspaceId}/${file}`,
      '/uploads/',
      '/uploads/papers/',
      at(file, '..'),
      at(file, 'a%2fb'),
      at('0b4c6f0e\u0000aaaaaaaaa.pdf'),
    ]) {
      expect([path, [400, 404].includes((await ask(path)).status)]).toEqual([path, true])
    }
    expect(looked).toEqual([])
  })

  test('of an unknown name, another workspace or an inactive one is not there', async () => {
    const unknown = file.replace('0b4c', '1b4c')
    expect((await ask(at(unknown))).status).toBe(404)
    expect((await ask(at(file, 'wsp_none'))).status).toBe(404)
    const { otherWorkspaceId } = gate.tenant
    expect((await ask(at(file, otherWorkspaceId))).status).toBe(200)
    await gate.owner.rows(Workspace).update(otherWorkspaceId, { is_active: false })
    expect((await ask(at(file, otherWorkspaceId))).status).toBe(404)
  })
})

test('requests for one file are limited', async () => {
  const gate = await startGate({ plugins: [papers], settings: { LIMIT_PUBLIC_PER_MINUTE: '2' } })
  try {
    const ask = (name = file) => gate.ask(`/uploads/papers/${gate.tenant.workspaceId}/${name}`, { key: null })
    expect([(await ask()).status, (await ask()).status, (await ask()).status]).toEqual([200, 200, 429])
    expect((await ask(file.replace('0b4c', '1b4c'))).status).toBe(404)
  } finally {
    await gate.stop()
  }
})
