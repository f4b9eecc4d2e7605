import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { clientReads } from '../../../../core/contexts/client-reads'
import { visibilityClients } from '../../../../plugins/visibility/cards/clients'
import { countedSystem } from '../../../support/counted-system'
import { type PageBench, pageBench } from '../pages/support'

let held: PageBench
let over: ReturnType<typeof countedSystem>
beforeEach(async () => {
  held = await pageBench()
  over = countedSystem(held.bench)
})
afterEach(() => held.bench.stop())

const load = async (...ids: string[]) => {
  const workspaces = ids.map((id) => ({ id, timezone: 'UTC' }))
  const figures = await visibilityClients.load(clientReads(over.system, workspaces))
  return ids.map((id) => figures.get(id)?.cells['ai-visibility'])
}

describe('AI visibility in the list of clients', () => {
  test('is the rate of the page of each, and its change', async () => {
    await held.prompt('vpr_1')
    await held.prompt('vpr_2', { text: 'Is Acme any good?' })
    await held.series(18, 20, 1)
    await held.series(2, 20, 31)
    await held.series(0, 9, 1, { prompt_id: 'vpr_2' })
    await held.tracker({ id: 'vtr_2', workspace_id: 'wsp_2' })
    const [first, second, third] = await load('wsp_1', 'wsp_2', 'wsp_3')
    const { rate } = (await held.load()).named
    expect(first).toEqual({
      value: rate.rate,
      text: '90\u00a0%',
      change: { text: 'up 80 points', tone: 'good' },
    })
    expect([second?.text, second?.value]).toEqual(['No answers', null])
    expect([third?.text, third?.value]).toEqual(['Not tracked', null])
  })

  test('leaves out days on which an assistant failed, as the page does', async () => {
    await held.prompt('vpr_1')
    await held.series(40, 40, 4)
    for (let n = 0; n < 30; n++) await held.series(0, 1, 3, { status: 'error' })
    await held.series(0, 1, 3)
    await held.series(0, 1, 3)
    const [first] = await load('wsp_1')
    expect(first).toMatchObject({ value: 1, change: { text: 'no change shown' } })
    expect((await held.load('days=28')).named.rate.rate).toBe(1)
  })

  test('compares no old model with a new one', async () => {
    await held.prompt('vpr_1')
    await held.series(18, 20, 1, { model_asked: 'new' })
    await held.series(2, 20, 31, { model_asked: 'old' })
    expect((await load('wsp_1'))[0]?.change?.text).toBe('not comparable')
  })

  test('takes as many reads for many workspaces as for one', async () => {
    await load('wsp_1')
    const one = over.counted.reads
    for (let n = 2; n < 30; n++)
      await held.tracker({ id: `vtr_${n}`, location_id: `loc_${n}`, workspace_id: `wsp_${n}` })
    await load(...Array.from({ length: 30 }, (_, n) => `wsp_${n + 1}`))
    expect(over.counted.reads - one).toBe(one)
  })
})
