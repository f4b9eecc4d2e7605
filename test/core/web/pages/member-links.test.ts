import { afterAll, beforeAll, expect, test } from 'bun:test'
import { withCore } from '../../../../core/product/core-plugins'
import { User } from '../../../../core/tenancy/User'
import { builtin } from '../../../../plugins'
import { type Gate, startGate } from '../../../support/harness'
import { signedIn } from '../../../support/signed-in'
import { createVisitor, type Visitor } from '../../../support/visitor'

const lists = [{ operator: 'OpenAI', status: 'never_fetched', prefixes: 0 }]
let gate: Gate
let userId: string
let person: Visitor
beforeAll(async () => {
  gate = await startGate({ plugins: withCore(builtin), counter: { ranges: async () => lists } as never })
  const { cookie, userId: id } = await signedIn(gate)
  userId = id
  person = createVisitor((asked) => gate.gateway.fetch(asked, () => '203.0.113.7'))
  const at = cookie.indexOf('=')
  person.cookies.set(cookie.slice(0, at), cookie.slice(at + 1))
})
afterAll(() => gate.stop())

/** Links of a page to other pages, without their queries. */
const linksOf = (html: string) =>
  [...html.matchAll(/<a\b[^>]*\bhref="(\/app[^"#?]*)/g)].map(([, path = '']) => path)

/** Follows every link from the home page on, and returns the pages that do not open. */
async function followLinks(): Promise<{ opened: Set<string>; refused: string[] }> {
  const opened = new Set(['/app'])
  const refused: string[] = []
  for (const path of opened) {
    const { status, html } = await person.open(path)
    if (status !== 200) refused.push(`${status} ${path}`)
    else for (const link of linksOf(html)) if (!link.startsWith('/app/data/')) opened.add(link)
  }
  return { opened, refused }
}

test('a member of an empty workspace is led to no page that only owners open', async () => {
  const own = { role: 'member' as const, workspace_ids: [gate.tenant.otherWorkspaceId] }
  await gate.owner.rows(User).update(userId, own)
  const { opened, refused } = await followLinks()
  expect(refused).toEqual([])
  for (const path of ['/app/reviews', '/app/traffic', '/app/locations', '/app/sites'])
    expect(opened).toContain(path)
}, 90_000)

test('an owner of an empty workspace is led to the pages that set it up', async () => {
  await gate.owner.rows(User).update(userId, { role: 'owner' })
  await person.open(`/app/w/${gate.tenant.otherWorkspaceId}`)
  expect(linksOf((await person.open('/app/reviews')).html)).toContain('/app/settings/connections')
  // The first steps set up the home workspace, and never the one that the person looks at.
  const { html, text } = await person.open('/app/traffic')
  expect(linksOf(html)).not.toContain('/app/start')
  expect(text).toContain('Create a site')
  expect(linksOf((await person.open('/app')).html)).toContain('/app/lists')
})
