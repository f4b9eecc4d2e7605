import { expect, test } from 'bun:test'
import * as v from 'valibot'
import { definePlugin, type OwnerContext } from '../../../core/kit'
import { corePlugins } from '../../../core/product/core-plugins'
import { Workspace } from '../../../core/product/tenancy-plugin'
import { createRegistry } from '../../../core/registry/registry'
import { AuditEntry } from '../../../core/tenancy/audit/AuditEntry'
import { part } from '../../support/part'
import { workbench } from '../../support/workbench'

const account = { workspace_id: 'wsp_1', provider: 'guild', account_id: 'one' }
const queue = { summary: 'Tries', payload: v.strictObject({}), run: async () => {} }

for (const [subscribers, deadLetter] of [
  ['subscribers', 'onDeadLetter'],
  ['reactions', 'buried'],
] as const) {
  test(`a plugin can declare ${subscribers} and ${deadLetter}`, async () => {
    const heard: string[] = []
    const plugin = definePlugin({
      name: 'hears',
      renown: '^1.0.0',
      [subscribers]: { accountReady: async () => void heard.push('account') },
      queues: { try: { ...queue, [deadLetter]: async () => void heard.push('dead letter') } },
    })
    const bench = await workbench([...corePlugins, plugin])
    await bench.owner.publish('accountReady', account)
    await bench.owner.happened('accountReady', account)
    const { queues } = createRegistry([...corePlugins, plugin])
    await queues.get('try')?.onDeadLetter?.(bench.owner, {}, part({}), part({ workspace_id: 'wsp_1' }))
    expect(heard).toEqual(['account', 'account', 'dead letter'])
    await bench.stop()
  })
}

test('a plugin that declares the old name too is refused', () => {
  const plugin = definePlugin({
    name: 'twice',
    renown: '^1.0.0',
    subscribers: { accountReady: async () => {} },
    reactions: { accountReady: async () => {} },
    queues: { try: { ...queue, onDeadLetter: async () => {}, buried: async () => {} } },
  })
  const start = () => createRegistry([...corePlugins, plugin])
  expect(start).toThrow('twice: use subscribers alone, not also its old name reactions')
  expect(start).toThrow('twice: use onDeadLetter alone, not also its old name buried')
})

test('the context has its current and its old names', async () => {
  const bench = await workbench(corePlugins)
  await bench.command('agency create', { name: 'Acme' })
  const [workspace] = await bench.owner.rows(Workspace).list()
  const workspace_id = workspace?.id ?? ''
  const used: string[] = []
  const both = [bench.owner, { ...bench.owner, ...withOldNames(bench.owner) }]
  for (const [at, ctx] of both.entries()) {
    await ctx.withLock('one', async () => void used.push(`lock ${at}`))
    const event = { workspace_id, action: 'site.add', what: 'Site added', by: undefined } as const
    await ctx.recordAudit({ ...event, subject: `site ${at}` })
  }
  expect(used).toEqual(['lock 0', 'lock 1'])
  const entries = await bench.owner.rows(AuditEntry).list()
  expect(
    entries.flatMap(({ subject = '' }) => (subject.startsWith('site ') ? [subject] : [])).sort(),
  ).toEqual(['site 0', 'site 1'])
  await bench.stop()
})

/** The methods by their old names. */
const withOldNames = ({ inTurn, writeDown }: OwnerContext) => ({ withLock: inTurn, recordAudit: writeDown })
