import { expect, test } from 'bun:test'
import type { OwnerContext } from '../../../core/kit'
import { corePlugins } from '../../../core/product/core-plugins'
import { Workspace } from '../../../core/product/tenancy-plugin'
import { AuditEntry } from '../../../core/tenancy/audit/AuditEntry'
import { workbench } from '../../support/workbench'

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
