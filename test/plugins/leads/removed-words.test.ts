import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createDemo } from '../../../core/demo/create'
import { withCore } from '../../../core/product/core-plugins'
import { builtin } from '../../../plugins'
import { removeGone, removeStoredWords } from '../../../plugins/leads/finding/removal'
import { Lead } from '../../../plugins/leads/records/Lead'
import { Mention } from '../../../plugins/leads/records/Mention'
import { publicPolicy } from '../../../plugins/leads/sources/policy'
import { freshColumns } from '../../support/chdb'
import { type Gate, startGate } from '../../support/harness'
import { callToolAsIs, revisions } from '../../support/mcp'
import { inputFrom } from '../../support/operation-input'
import { signedIn } from '../../support/signed-in'

/**
 * The words of a post that was deleted at its source are shown nowhere: every operation, over REST and MCP, every record type,
 * every page and every download is asked. Each text of a mention contains a word of its own, so that any of them is seen.
 */
const plugins = withCore(builtin)
const gone = 'zqgone'
const kept = 'zqkept'

let gate: Gate
let columns: Awaited<ReturnType<typeof freshColumns>>
let cookie = ''
let workspace = ''
const removed: { readonly id: string; readonly leadId: string | undefined }[] = []

beforeAll(async () => {
  columns = await freshColumns()
  gate = await startGate({ plugins, columns })
  const { world } = await createDemo(gate.owner, plugins, { seed: 'removed', today: '2026-11-20' })
  cookie = (await signedIn(gate, { agencyId: world.agency_id })).cookie
  const mentions = gate.owner.rows(Mention)
  const signal = new AbortController().signal
  const terms = { name: 'any', policy: { ...publicPolicy, terms_url: 'https://terms.example/' } }
  let n = 0
  for await (const row of mentions.each({ where: { op: 'and', of: [] } as never, signal })) {
    if (row.removal_rule !== undefined || row.removed_at_source_at !== undefined) continue
    n++
    workspace = row.workspace_id
    const way = n % 2 === 0 ? kept : (['marked', 'ruled', 'imported'] as const)[Math.floor(n / 2) % 3]
    const word = `${way === kept ? kept : gone}${n}`
    const quote = `It says “${word} reason”.`
    const words = {
      title: `${word} title`,
      body: `${word} body`,
      excerpt: `${word} excerpt`,
      relevance_reason: quote,
      intent_reason: quote,
    }
    await mentions.update(row.id, words)
    const leads = await gate.owner
      .rows(Lead)
      .list({ where: { op: 'eq', field: 'mention_id', value: row.id } })
    for (const lead of leads) await gate.owner.rows(Lead).update(lead.id, { intent_reason: quote })
    if (way === kept) continue
    const now = await mentions.get(row.id)
    if (!now) throw new Error('the mention is gone')
    if (way === 'imported') {
      await mentions.update(row.id, { removed_at_source_at: gate.owner.now().toISOString() })
    } else {
      const delete_with_source = way === 'ruled'
      await removeGone(gate.owner, { ...terms, policy: { ...terms.policy, delete_with_source } }, now)
    }
    removed.push({ id: row.id, leadId: leads[0]?.id })
  }
  await removeStoredWords(gate.owner, signal)
}, 240_000)
afterAll(async () => {
  await gate?.stop()
  await columns?.close()
})

/** Asks all addresses, and returns those that show a removed word, and how many show one that is there. */
async function shown(asks: readonly (readonly [name: string, ask: () => Promise<string>])[]) {
  const leaks: string[] = []
  let present = 0
  for (const [name, ask] of asks) {
    const text = await ask()
    if (text.includes(gone)) leaks.push(name)
    if (text.includes(kept)) present++
  }
  return { leaks, present }
}

const asPlatform = () => ({ key: gate.platform.key, workspace })
const textOf = async (path: string) => (await gate.ask(path, asPlatform())).text()
const pageOf = async (path: string) => (await gate.ask(path, { key: null, headers: { cookie } })).text()

describe('the words of a deleted post', () => {
  test('there are enough of them, in each of the ways in which they go', () => {
    expect(removed.length).toBeGreaterThan(10)
    expect(removed.filter(({ leadId }) => leadId !== undefined).length).toBeGreaterThan(1)
  })

  test('are in no stored row of any record type', async () => {
    const leaks: string[] = []
    let present = 0
    for (const entity of gate.registry.entities.values()) {
      if (entity.store !== 'documents') continue
      const signal = new AbortController().signal
      for await (const row of gate.owner.rows(entity).each({ signal })) {
        const text = JSON.stringify(row)
        if (text.includes(gone)) leaks.push(`${entity.name} ${row.id}`)
        if (text.includes(kept)) present++
      }
    }
    expect(leaks).toEqual([])
    expect(present).toBeGreaterThan(20)
  })

  test('are in no answer of any operation, over REST and MCP', async () => {
    const rows = removed.flatMap(({ id, leadId }) => [
      { entity: Mention, id },
      ...(leadId === undefined ? [] : [{ entity: Lead, id: leadId }]),
    ])
    const reading = [...gate.registry.operations.values()].filter((one) => one.class === 'read')
    const asks = reading.flatMap((operation) =>
      Array.from({ length: 2 }, (_, seed) => inputFrom(operation, rows, seed)).flatMap((input, seed) => [
        [
          `${operation.name} ${seed}`,
          async () => (await gate.call(operation.name, input, asPlatform())).text(),
        ] as const,
        [
          `MCP ${operation.name} ${seed}`,
          async () =>
            JSON.stringify(
              await callToolAsIs(gate, revisions[0], operation.name, input, asPlatform()).catch(String),
            ),
        ] as const,
      ]),
    )
    const lists = [0, 1, 2].flatMap((page) => {
      const input = { include_archived: true, limit: 200, skip: page * 200 }
      return [
        [
          `leads ${page}`,
          async () => (await gate.call('listLeadsWithMentions', input, asPlatform())).text(),
        ] as const,
        [
          `MCP leads ${page}`,
          async () =>
            JSON.stringify(
              await callToolAsIs(gate, revisions[0], 'listLeadsWithMentions', input, asPlatform()),
            ),
        ] as const,
      ]
    })
    const { leaks, present } = await shown([...asks, ...lists])
    expect(leaks).toEqual([])
    expect(present).toBeGreaterThan(1)
  }, 240_000)

  test('are in no list, record or search of any record type', async () => {
    const filters = [
      {},
      { removed_at_source_at: { $exists: true } },
      { body: { $contains: gone } },
      { title: { $contains: gone } },
      { intent_reason: { $contains: gone } },
    ]
    const asks = [...gate.registry.entities.values()].flatMap(({ name, reads }) =>
      reads.includes('list')
        ? filters.map((filter) => {
            const query = new URLSearchParams({ q: JSON.stringify(filter), limit: '1000' })
            // The filter comes back in the link of the next page, not in the rows.
            return [
              `${name} ${JSON.stringify(filter)}`,
              () => textOf(`/api/entities/${name}?${query}`),
            ] as const
          })
        : [],
    )
    const single = removed.flatMap(({ id, leadId }) => [
      [`Mention ${id}`, () => textOf(`/api/entities/Mention/${id}`)] as const,
      ...(leadId === undefined
        ? []
        : [[`Lead ${leadId}`, () => textOf(`/api/entities/Lead/${leadId}`)] as const]),
    ])
    const { leaks, present } = await shown([...asks, ...single])
    expect(leaks.filter((name) => !name.includes('$contains'))).toEqual([])
    for (const field of ['body', 'title', 'excerpt']) {
      const query = new URLSearchParams({ q: JSON.stringify({ [field]: { $contains: gone } }) })
      const found = await gate.ask(`/api/entities/Mention?${query}`, asPlatform())
      expect([field, await found.json()]).toEqual([field, []])
    }
    expect(present).toBeGreaterThan(1)
  }, 240_000)

  test('are on no page, in no detail and in no download', async () => {
    const paths = gate.gateway.pages
      .filter(
        ({ method, path, auth }) => method === 'GET' && auth !== 'none' && !path.startsWith('/app/events/'),
      )
      .map(({ path }) => path)
    const details = removed
      .slice(0, 12)
      .flatMap(({ id, leadId }) => [
        `/app/mentions?state=any&mention=${id}`,
        `/app/mentions?state=removed&mention=${id}`,
        ...(leadId === undefined ? [] : [`/app/leads?lead=${leadId}`, `/app/board?lead=${leadId}`]),
      ])
    const lists = ['', 'removed', 'any', 'saved', 'dismissed', 'replied'].flatMap((state) => [
      `/app/mentions?state=${state}&relevance=any&all=1`,
      `/app/mentions?state=${state}&relevance=any&all=1&q=body`,
    ])
    const asks = [...paths, ...details, ...lists].map((path) => [path, () => pageOf(path)] as const)
    const { leaks, present } = await shown(asks)
    expect(leaks).toEqual([])
    expect(present).toBeGreaterThan(2)
  }, 240_000)
})
