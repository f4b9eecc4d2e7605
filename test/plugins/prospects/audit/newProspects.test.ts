import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { everything, where } from '../../../../core/contracts/where'
import { createDemo } from '../../../../core/demo/create'
import { Job } from '../../../../core/jobs/Job'
import { withCore } from '../../../../core/product/core-plugins'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { builtin } from '../../../../plugins'
import { ProspectAudit } from '../../../../plugins/prospects/records/ProspectAudit'
import { type ProspectBench, prospectBench } from '../support/bench'

let world: ProspectBench
beforeAll(async () => {
  world = await prospectBench()
})
beforeEach(async () => {
  for (const entity of [ProspectAudit, Job, BusinessLocation]) {
    await world.owner.rows(entity).removeWhere(everything)
  }
  world.websites.reset()
})
afterAll(() => world.stop())

const command = (name: string, input: object) =>
  world.bench.command(name, input as Record<string, unknown>) as Promise<Record<string, unknown>>

describe('The job that looks for prospects', () => {
  test('gives each one audit, in its workspace, and puts it into the queue once', async () => {
    const first = await world.prospect()
    const second = await world.prospect({ website: undefined } as object)
    for (let n = 0; n < 3; n++) await world.look()
    const audits = await world.audits()
    expect(audits.map(({ location_id }) => location_id).toSorted()).toEqual([first.id, second.id].toSorted())
    expect(await world.audit(first.id)).toMatchObject({
      workspace_id: world.workspace_id,
      status: 'queued',
      business_name: 'Pitch & Co',
      website: 'https://service.example/',
    })
    const jobs = await world.jobs()
    expect(jobs.map(({ queue, key }) => [queue, key])).toEqual(
      expect.arrayContaining(audits.map(({ id }) => ['audit-prospect', id])),
    )
    expect(jobs).toHaveLength(2)
  })

  test('leaves clients alone, and prospects whose audit has ended', async () => {
    await world.prospect({ is_prospect: false, is_active: true })
    const { id } = await world.prospect()
    await world.look()
    await world.run((await world.audit(id)).id)
    await world.owner.rows(Job).removeWhere(everything)
    await world.look()
    expect([(await world.audits()).length, await world.jobs()]).toEqual([1, []])
  })

  test('brings an audit back whose job never came in, or was lost', async () => {
    await world.prospect()
    await world.look()
    await world.owner.rows(Job).removeWhere(everything)
    await world.look()
    expect(await world.jobs()).toHaveLength(1)
  })

  test('never touches a demo, nor does anything else of it', async () => {
    await createDemo(
      world.owner,
      withCore(builtin).filter(({ name }) => name !== 'traffic'),
      {
        seed: 'renown',
        today: '2026-03-15',
      },
    )
    const before = await world.audits()
    expect(before.map(({ status }) => status).toSorted()).toEqual([
      'completed',
      'failed',
      'queued',
      'running',
    ])
    await world.look()
    expect(await world.jobs()).toEqual([])
    for (const { id } of before) await world.run(id)
    expect(await world.audits()).toEqual(before)
    for (const { location_id } of before) {
      for (const again of [true, false]) {
        await expect(command('prospect audit', { location_id, again })).rejects.toThrow('demo')
      }
    }
    await world.owner.rows(ProspectAudit).removeWhere(everything)
    await world.look()
    expect([await world.audits(), world.websites.asked]).toEqual([[], []])
  })
})

describe('The command', () => {
  test('begins an audit, shows the one there is, and replaces one that has ended when told to', async () => {
    const { id: location_id } = await world.prospect()
    const first = await command('prospect audit', { location_id })
    expect(first).toMatchObject({ location_id, status: 'queued', begun: true })
    expect(await command('prospect audit', { location_id })).toMatchObject({
      audit_id: first.audit_id,
      begun: false,
    })
    await expect(command('prospect audit', { location_id, again: true })).rejects.toMatchObject({
      code: 'conflict',
      message: 'The audit of Pitch & Co is queued. Wait until it ends.',
    })
    await world.run(String(first.audit_id))
    expect(await command('prospect audit', { location_id })).toMatchObject({
      status: 'completed',
      begun: false,
    })
    const second = await command('prospect audit', { location_id, again: true })
    expect(second).toMatchObject({ status: 'queued', begun: true })
    expect(second.audit_id).not.toBe(first.audit_id)
    expect((await world.audits()).map(({ id }) => id)).toEqual([String(second.audit_id)])
    // What the first one's job still does changes nothing.
    await world.run(String(first.audit_id))
    expect((await world.audit(location_id)).status).toBe('queued')
  })

  test('refuses what is none of its business', async () => {
    const { id } = await world.prospect({ is_prospect: false, is_active: true })
    await expect(command('prospect audit', { location_id: id })).rejects.toThrow('is not a prospect')
    await expect(command('prospect audit', { location_id: 'loc_none' })).rejects.toMatchObject({
      code: 'not_found',
    })
    await expect(command('prospect show', { location_id: id })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('shows what was found, also when the business has signed since', async () => {
    const { id: location_id } = await world.prospect()
    await world.look()
    await world.run((await world.audit(location_id)).id)
    await world.owner.rows(BusinessLocation).updateWhere(where.eq('id', location_id), { is_prospect: false })
    await world.look()
    const shown = await command('prospect show', { location_id })
    expect(shown).toMatchObject({ status: 'completed', business_name: 'Pitch & Co', score: null })
    expect(shown.parts).toContainEqual({
      part: 'mentions',
      status: 'unknown',
      score: null,
      looked_at: world.bench.now.toISOString(),
      method: expect.any(String),
      not_known:
        'posts: No tracker searches for posts about it. Create a brand tracker for this location to find out.',
    })
    const { findings } = await command('prospect show', { location_id, full: true })
    expect(Object.keys(findings as object).toSorted()).toEqual([
      'mentions',
      'profile',
      'reviews',
      'traffic',
      'visibility',
    ])
  })
})
