import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { where } from '../../../core/contracts/where'
import { BusinessLocation, Workspace } from '../../../core/product/tenancy-plugin'
import { type Collection, type Documents, typedCollection } from '../../../core/stores/documents/port'
import { auditOf } from '../../../core/tenancy/audit/audit'
import { locationCounts } from '../../../core/tenancy/locations/location-counts'
import { Notification } from '../../../core/tenancy/news/Notification'
import { PastTrial } from '../../../plugins/billing/PastTrial'
import { dayMs, startAgency, type TestAgency } from '../../core/tenancy/support/agency'
import { describeGateStores } from '../../support/mongo'

describeGateStores('Trials that are due on %s', (_, open) => {
  let acme: TestAgency
  let id: string
  beforeEach(async () => {
    acme = await startAgency(open, { paid: 1 })
    await acme.add('Paid')
    id = await acme.add('Corner Bakery', { trial: true })
  })
  afterEach(() => acme.stop())
  const state = async () => {
    const { trial_state, is_active, trial_converted_at, trial_ended_at } = await acme.row(id)
    return { trial_state, is_active, trial_converted_at, trial_ended_at }
  }
  const told = async (type: string) => (await acme.news()).filter((news) => news.type === type)
  const actions = async () => {
    const { entries } = await auditOf(acme.first).list(acme.agency_id, { kind: 'location', limit: 50 })
    return entries.map(({ action, host }) => [action, host])
  }
  const trialing = { trial_state: 'trialing', is_active: true }

  test('are left alone a millisecond before, and converted at the instant itself', async () => {
    acme.jump(14 * dayMs - 1)
    await acme.due()
    expect(await state()).toMatchObject(trialing)
    acme.jump(1)
    await acme.due()
    expect(await state()).toEqual({
      trial_state: 'converted',
      is_active: true,
      trial_ended_at: undefined,
      trial_converted_at: '2026-03-29T12:00:00.000Z',
    })
    expect(await acme.run('agency capacity show', {})).toMatchObject({ used: 2, trialing: 0, beyond: 1 })
    expect(await told('trial_converted')).toEqual([
      {
        type: 'trial_converted',
        location_id: id,
        title: 'The trial of Corner Bakery is over: it goes on as a paid location',
        body: `2 locations in use, 1 paid for. That is 1 more than are paid for: pay for more (\`agency capacity set ${acme.agency_id} --paid 2\`) or deactivate some.`,
      },
    ])
    expect(await actions()).toContainEqual(['location.trial_convert', 'http://localhost:3000'])
  })

  test('convert without a warning where there is room by then, at what it costs then', async () => {
    await acme.run('agency capacity set', { paid: 5, charge: 31 })
    acme.jump(15 * dayMs)
    await acme.due()
    const [news] = await told('trial_converted')
    expect(news?.body).toBe(
      'A location beyond paid capacity costs 31 a month. 2 locations in use, 5 paid for.',
    )
  })

  test('end where the agency says so: deactivated, kept and told', async () => {
    await acme.run('agency capacity set', { trials: 'end' })
    acme.jump(14 * dayMs)
    await acme.due()
    expect(await state()).toEqual({
      trial_state: 'ended',
      is_active: false,
      trial_converted_at: undefined,
      trial_ended_at: '2026-03-29T12:00:00.000Z',
    })
    expect(await acme.counts()).toEqual([2, 1])
    expect(await told('trial_ended')).toHaveLength(1)
    expect(await actions()).toContainEqual(['location.trial_end', 'http://localhost:3000'])
  })

  test('of an exempt location go on free, whatever the agency says', async () => {
    await acme.run('agency capacity set', { trials: 'end' })
    await acme.run('location exempt', { location_id: id, exempt: 'on' })
    acme.jump(14 * dayMs)
    await acme.due()
    expect(await state()).toMatchObject({ trial_state: 'converted', is_active: true })
    expect((await told('trial_converted'))[0]?.title).toEndWith('a free location')
    expect(await acme.run('agency capacity show', {})).toMatchObject({ used: 1, exempt: 1, beyond: 0 })
  })

  test('never bill what is not worked on', async () => {
    await acme.first.rows(BusinessLocation).update(id, { is_active: false })
    acme.jump(14 * dayMs)
    await acme.due()
    expect(await state()).toMatchObject({ trial_state: 'ended', is_active: false })
  })

  test('are told of three days before, once, with what comes', async () => {
    acme.jump(11 * dayMs - 1)
    await acme.due()
    expect(await told('trial_ending')).toEqual([])
    acme.jump(1)
    for (const on of [acme.first, acme.second, acme.first]) await acme.due(on)
    expect(await told('trial_ending')).toEqual([
      {
        type: 'trial_ending',
        location_id: id,
        title: 'The trial of Corner Bakery ends on 29 Mar 2026',
        body: `Then it goes on as a paid location. 1 location in use, 1 paid for. To end it without a paid location: \`location trial cancel ${id}\`.`,
      },
    ])
  })

  test('cost one count of the agency, however many are about to end', async () => {
    const rows = acme.first.rows(BusinessLocation)
    const counts = async () => {
      let n = 0
      const count: typeof rows.count = (filter) => {
        n++
        return rows.count(filter)
      }
      const counting = {
        ...acme.first,
        rows: ((entity) =>
          entity === BusinessLocation
            ? { ...rows, count }
            : acme.first.rows(entity)) as typeof acme.first.rows,
      }
      await acme.due(counting)
      return n
    }
    acme.jump(12 * dayMs)
    const few = await counts()
    const { id: _, created_date: __, updated_date: ___, ...known } = await acme.row(id)
    for (const n of [1, 2, 3, 4, 5]) await rows.insert({ ...known, business_name: `Bakery ${n}` })
    expect([few > 0, await counts()]).toEqual([true, few])
    expect(await told('trial_ending')).toHaveLength(6)
  })

  test('that are no longer than the warning are not warned of', async () => {
    await acme.stop()
    acme = await startAgency(open, { paid: 0, settings: { TRIAL_DAYS: '3' } })
    id = await acme.add('A', { trial: true })
    await acme.due()
    expect((await acme.news()).map(({ type }) => type)).toEqual(['trial_started'])
  })

  test('of a demo stay as they were made', async () => {
    await acme.first.rows(BusinessLocation).update(id, { is_demo: true })
    acme.jump(30 * dayMs)
    await acme.due()
    expect(await state()).toMatchObject(trialing)
  })

  describe('when the clock jumps', () => {
    test('far ahead, are moved once, without a warning that comes too late', async () => {
      acme.jump(400 * dayMs)
      await acme.due()
      await acme.due()
      expect(await state()).toMatchObject({ trial_state: 'converted' })
      const types = (await acme.news()).map(({ type }) => type)
      expect(types.toSorted()).toEqual(['trial_converted', 'trial_started'])
    })
    test('back behind the beginning, go on to the same end', async () => {
      acme.jump(-30 * dayMs)
      await acme.due()
      expect(await state()).toMatchObject(trialing)
      acme.jump(44 * dayMs)
      await acme.due()
      expect(await state()).toMatchObject({ trial_state: 'converted' })
    })
    test('back after the end, stay where they are: both ends are final', async () => {
      acme.jump(14 * dayMs)
      await acme.due()
      const before = await acme.row(id)
      for (const ms of [-20 * dayMs, 5 * dayMs, 40 * dayMs]) {
        acme.jump(ms)
        await acme.due()
        expect(await acme.row(id)).toEqual(before)
      }
      expect(await told('trial_converted')).toHaveLength(1)
    })
    test('back after the warning, do not warn again', async () => {
      acme.jump(12 * dayMs)
      await acme.due()
      acme.jump(-5 * dayMs)
      await acme.due()
      acme.jump(5 * dayMs)
      await acme.due()
      expect(await told('trial_ending')).toHaveLength(1)
    })
  })

  describe('when two processes look at once', () => {
    test('are converted once', async () => {
      acme.jump(14 * dayMs)
      await Promise.all([acme.first, acme.second, acme.first, acme.second].map((on) => acme.due(on)))
      expect(await told('trial_converted')).toHaveLength(1)
      const converted = (await actions()).filter(([action]) => action === 'location.trial_convert')
      expect(converted).toHaveLength(1)
    }, 90_000)

    test('are either converted or cancelled, and only that is told', async () => {
      for (let turn = 0; turn < 6; turn++) {
        id = await acme.add(`Trial ${turn}`, { trial: true })
        acme.jump(14 * dayMs)
        const looks = () => acme.due(acme.first)
        const cancels = () => acme.run('location trial cancel', { location_id: id }, acme.second)
        const both = turn % 2 === 0 ? [looks, cancels] : [cancels, looks]
        await Promise.allSettled(both.map((one) => one()))
        const { trial_state, is_active } = await state()
        expect(is_active).toBe(trial_state === 'converted')
        const news = (await acme.news()).filter(({ location_id }) => location_id === id)
        const types = news.map(({ type }) => type).toSorted()
        expect(types).toEqual([`trial_${trial_state}`, 'trial_started'].toSorted())
      }
    }, 90_000)
  })

  describe('when a process dies', () => {
    /** The store, as a process sees it that dies at a write of one kind. */
    const dying = (entity: string, verb: 'insert' | 'updateOne'): Documents => ({
      ...acme.documents,
      collection: typedCollection((of) => {
        const real = acme.documents.collection(of)
        if (of.name !== entity) return real
        return { ...real, [verb]: () => Promise.reject(new Error('the process died')) }
      }),
    })

    test.each([
      ['between the end and the counts', Workspace.name, 'updateOne'],
      ['before it is kept that the trial was had', PastTrial.name, 'insert'],
      ['before people are told', Notification.name, 'insert'],
    ] as const)('%s, the next look makes good what is missing', async (_, entity, verb) => {
      await acme.run('agency capacity set', { trials: 'end' })
      await acme.first.rows(PastTrial).removeWhere(where.eq('location_id', id))
      acme.jump(14 * dayMs)
      await expect(acme.due(acme.process(dying(entity, verb)))).rejects.toThrow('the process died')
      expect(await state()).toMatchObject({ trial_state: 'ended', is_active: false })
      acme.jump(60 * 60_000)
      await acme.due()
      await locationCounts.run(acme.first, new AbortController().signal)
      expect(await told('trial_ended')).toHaveLength(1)
      expect(await acme.first.rows(PastTrial).count(where.eq('location_id', id))).toBe(1)
      expect(await acme.counts()).toEqual([2, 1])
    })

    test('or cannot move one of them, the others are moved', async () => {
      const other = await acme.add('B', { trial: true })
      acme.jump(14 * dayMs)
      const gone: Documents = {
        ...acme.documents,
        collection: typedCollection((of) => {
          const real = acme.documents.collection(of)
          if (of.name !== BusinessLocation.name) return real
          const updateOne: Collection['updateOne'] = (condition, ...more) =>
            JSON.stringify(condition).includes(id)
              ? Promise.reject(new Error('this one cannot be written'))
              : real.updateOne(condition, ...more)
          return { ...real, updateOne }
        }),
      }
      await expect(acme.due(acme.process(gone))).rejects.toThrow('this one cannot be written')
      expect(await acme.row(other)).toMatchObject({ trial_state: 'converted' })
      expect(await state()).toMatchObject(trialing)
    })

    test('before the trial was written, nothing has begun and it begins at the next try', async () => {
      const gone = acme.process(dying(BusinessLocation.name, 'insert'))
      const input = { business_name: 'B', workspace_id: acme.workspace_id, trial: true }
      await expect(acme.run('location create', input, gone)).rejects.toThrow('the process died')
      expect(await acme.run('location create', input)).toMatchObject({ trial_state: 'trialing' })
    })

    test('right after the trial was written, people are told at the next look', async () => {
      const gone = acme.process(dying(Notification.name, 'insert'))
      const input = { business_name: 'B', workspace_id: acme.workspace_id, trial: true }
      await expect(acme.run('location create', input, gone)).rejects.toThrow('the process died')
      await acme.due()
      expect(await told('trial_started')).toHaveLength(2)
    })
  })
})
