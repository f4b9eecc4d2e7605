import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { where } from '../../../../core/contracts/where'
import { Job } from '../../../../core/jobs/Job'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { dueEnrichments } from '../../../../plugins/enrichment/work/dueEnrichments'
import { addedAs, enrichmentWorld } from '../support/world'

let world: Awaited<ReturnType<typeof enrichmentWorld>>
beforeEach(async () => {
  world = await enrichmentWorld({ pages: { '/': '<p>Hello' } })
})
afterEach(() => world.stop())

const fresh = { enrichment_status: undefined, enrichment_source: undefined }
const jobs = async () =>
  (await world.owner.rows(Job).list({ where: where.eq('queue', 'enrich-location') })).map(({ key }) => key)
const look = () => dueEnrichments.run(world.owner, new AbortController().signal)

describe('The look for locations that were never enriched', () => {
  test.each([
    ['a category of online business', { business_category: 'E-commerce service' }, true],
    ['a street', { business_category: 'Online shop', address_line1: '1 High Street' }, false],
    ['a postal code', { business_category: 'Online shop', postal_code: 'LS1 1AA' }, false],
    ['a word that only looks like one', { business_category: 'Onlineplumber' }, undefined],
    ['nothing', {}, undefined],
  ])('says without a website whether a business with %s is online only', async (_, told, expected) => {
    const id = await world.location({ ...fresh, ...told })
    const own = { ...fresh, ...told, is_online_only: expected !== true, is_online_only_overridden: true }
    const overridden = await world.location(own)
    await look()
    await look()
    expect((await world.row(id)).is_online_only).toBe(expected)
    expect((await world.row(overridden)).is_online_only).toBe(expected !== true)
  })

  test('puts in those at work that have something to read, once', async () => {
    const website = await world.location({ ...fresh, website: world.home })
    const place = await world.location({ ...fresh, ...addedAs.places })
    const page = await world.location({ ...fresh, ...addedAs.facebook })
    await world.location({ ...fresh })
    await world.location({ ...fresh, website: 'https://www.instagram.com/acme' })
    await world.location({ ...fresh, website: world.home, is_active: false, is_prospect: true })
    await world.location({ ...fresh, website: world.home, is_demo: true })
    await look()
    await look()
    expect((await jobs()).toSorted()).toEqual([website, place, page].toSorted())
    expect(await world.row(website)).toMatchObject({
      enrichment_status: 'pending',
      enrichment_source: 'first-add',
    })
  })

  test('puts in again what waits without a job, and nothing that has ended', async () => {
    const waiting = await world.location({ website: world.home, enrichment_source: 'manual-refresh' })
    const rows = world.owner.rows(BusinessLocation)
    for (const enrichment_status of ['success', 'partial', 'failed'] as const)
      await world.location({ website: world.home, enrichment_status, enrichment_error: 'x' })
    await look()
    expect(await jobs()).toEqual([waiting])
    expect((await rows.get(waiting))?.enrichment_source).toBe('manual-refresh')
  })
})

describe('A refresh', () => {
  test('has a location read again, whatever it came to before, and keeps what is known until then', async () => {
    const id = await world.location({
      website: world.home,
      enrichment_status: 'failed',
      enrichment_error: 'x',
      enrichment: { about: 'Old' },
    })
    const first = await world.bench.command('enrichment refresh', { location_id: id })
    expect(first).toMatchObject({ enrichment_status: 'pending', deduplicated: false })
    expect(await world.bench.command('enrichment refresh', { location_id: id })).toMatchObject({
      job_id: first.job_id,
      deduplicated: true,
    })
    const row = await world.row(id)
    expect([row.enrichment_status, row.enrichment_source]).toEqual(['pending', 'manual-refresh'])
    expect([row.enrichment_error, row.enrichment?.about]).toEqual([undefined, 'Old'])
    expect((await world.bury(id, 'away')).enrichment?.about).toBe('Old')
    await world.bench.command('enrichment refresh', { location_id: id })
    expect((await world.enrich(id)).enrichment?.about).toBe('Acme')
  })

  test.each([
    ['of nothing to read', {}, 'nothing to read'],
    ['of what is made up', { is_demo: true, website: 'https://acme.example' }, 'belongs to the demo'],
  ])('%s is refused', async (_, changes, why) => {
    const id = await world.location({ ...fresh, ...changes })
    await expect(world.bench.command('enrichment refresh', { location_id: id })).rejects.toThrow(why)
    expect((await world.row(id)).enrichment_status).toBeUndefined()
  })

  test('of a location that is not there is refused', async () => {
    await expect(world.bench.command('enrichment refresh', { location_id: 'loc_x' })).rejects.toThrow(
      'no location',
    )
  })
})

describe('Overrides', () => {
  const known = { enrichment: { about: 'Read', services: ['a'], attributes: ['b'] } }
  const override = async (id: string, given: object) =>
    (await world.bench.command('enrichment override', { location_id: id, ...given })) as Record<
      string,
      unknown
    >

  test('stand in place of what was read, key by key, until they are taken away', async () => {
    const id = await world.location({ ...known, enrichment_status: 'success' })
    expect(await override(id, { about: ' Ours ', services: ['x', 'X', 'y'] })).toMatchObject({
      overridden: ['about', 'services'],
      profile: { about: 'Ours', services: ['x', 'y'], attributes: ['b'] },
    })
    await override(id, { attributes: [] })
    expect(await override(id, { clear: ['about'] })).toMatchObject({
      overridden: ['services', 'attributes'],
      profile: { about: 'Read', services: ['x', 'y'], attributes: [] },
    })
    await override(id, { clear: ['services', 'attributes'] })
    const row = await world.row(id)
    expect([row.enrichment_overrides, row.enrichment_status]).toEqual([undefined, 'success'])
    expect(await world.bench.command('enrichment show', { location_id: id })).toMatchObject({
      overridden: [],
      profile: known.enrichment,
      enrichment_status: 'success',
      enrichment_error: null,
    })
  })

  test('by two people at once both stand', async () => {
    const id = await world.location(known)
    await Promise.all([
      override(id, { about: 'Ours' }),
      override(id, { services: ['x'] }),
      override(id, { attributes: ['y'] }),
    ])
    expect((await world.row(id)).enrichment_overrides).toEqual({
      about: 'Ours',
      services: ['x'],
      attributes: ['y'],
    })
  })

  test('that say nothing, or two things at once, are refused with the field', async () => {
    const id = await world.location(known)
    await expect(override(id, {})).rejects.toThrow('about, services, attributes')
    await expect(override(id, { about: 'x', clear: ['about'] })).rejects.toMatchObject({
      details: { errors: [{ pointer: '/clear', code: 'exclusive' }] },
    })
    for (const wrong of [
      { about: '' },
      { about: ' \u200B' },
      { about: 'x'.repeat(1_001) },
      { clear: ['hours'] },
      { services: ['x'.repeat(121)] },
    ])
      await expect(override(id, wrong)).rejects.toThrow()
    expect((await world.row(id)).enrichment_overrides).toBeUndefined()
  })
})
